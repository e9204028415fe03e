import { IsIn, IsOptional, IsString, IsUrl, Matches } from 'class-validator';
import { IsBooleanSetting } from './boolean-setting.decorator.js';
import { EngineSettings } from './engine-settings.js';
import { IsIntegerSetting } from './integer-setting.decorator.js';

const ENCRYPTIONS = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

/** Settings of where files are: a part of Env. */
export class StorageSettings extends EngineSettings {
  /** Embedded database, adapters, base models, what is on its way; without S3_BUCKET all other files too. */
  @IsString()
  DATA_DIR = '.data';

  /** MiB that must be free where DATA_DIR lies: with less, the process says that it is not ready, and takes no file. */
  @IsIntegerSetting(0, 1_048_576)
  DISK_RESERVE_MB = 100;

  /** Bucket for contents of artifacts and runs and for trajectories. Unset: they are under DATA_DIR. */
  @IsOptional()
  @Matches(/^[\w.-]{1,255}$/, { message: 'S3_BUCKET must be the name of a bucket' })
  S3_BUCKET?: string;

  /** Folder in the bucket. Empty: its root. */
  @Matches(/^([\w-][\w.-]*(\/[\w-][\w.-]*)*)?$/, { message: 'S3_PREFIX must be names with slashes between them' })
  S3_PREFIX = '';

  /** A server that speaks S3's protocol. Unset: AWS. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  S3_ENDPOINT?: string;

  @Matches(/^[\w-]{1,64}$/, { message: 'S3_REGION must be the name of a region' })
  S3_REGION = 'us-east-1';

  /** Whether the bucket's name stands in the path, not in the host name: most servers other than AWS want that. */
  @IsBooleanSetting()
  S3_PATH_STYLE = false;

  /** Unset, with the secret: what AWS's SDK finds, in its files or from the machine's role. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'S3_ACCESS_KEY_ID must be printable ASCII without spaces' })
  S3_ACCESS_KEY_ID?: string;

  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'S3_SECRET_ACCESS_KEY must be printable ASCII without spaces' })
  S3_SECRET_ACCESS_KEY?: string;

  /** How the server encrypts what it keeps. Unset: as the bucket says. */
  @IsOptional()
  @IsIn(ENCRYPTIONS)
  S3_SERVER_SIDE_ENCRYPTION?: (typeof ENCRYPTIONS)[number];

  /** Key of its key service, with `aws:kms`. Unset: the account's own. */
  @IsOptional()
  @IsString()
  S3_KMS_KEY_ID?: string;

  /** Whether downloads are redirected to the bucket, with an address that is good for an hour. Clients must reach it. */
  @IsBooleanSetting()
  S3_PRESIGNED_DOWNLOADS = false;
}
