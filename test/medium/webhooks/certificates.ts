import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority of a test's own, made by `openssl`. */
export class TestAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-ca-'));

  constructor() {
    const subject = ['-subj', '/CN=Heddle Test CA', '-addext', 'basicConstraints=critical,CA:TRUE'];
    this.openssl('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', ...subject);
  }

  /** PEM. */
  get ca(): string {
    return this.read('ca.pem');
  }

  /** @param days how long it is valid; negative: it has expired */
  issue(name: string, days = 30): Certificate {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    this.openssl('req', ...KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...subject);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
    this.openssl('x509', '-req', '-in', 'leaf.csr', ...by, '-days', String(days), '-out', 'leaf.pem');
    return { key: this.read('leaf.key'), cert: this.read('leaf.pem') };
  }

  selfSigned(name: string): Certificate {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    this.openssl('req', '-x509', ...KEY, '-keyout', 'self.key', '-out', 'self.pem', '-days', '30', ...subject);
    return { key: this.read('self.key'), cert: this.read('self.pem') };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  private openssl(...parameters: string[]): void {
    execFileSync('openssl', parameters, { cwd: this.folder, stdio: 'pipe' });
  }
}
