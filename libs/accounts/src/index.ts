export { DeletionNotConfirmedError } from './accounts.errors.js';
export { AccountsModule } from './accounts.module.js';
export { FirstAdminService } from './first-admin.service.js';
export { type AfterDeletion, TeamDeletionService, type TeamPart } from './team-deletion.service.js';
export { UserReader } from './user.reader.js';
export { UserReaderModule } from './user-reader.module.js';
