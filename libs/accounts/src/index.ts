export { AccountsModule } from './accounts.module.js';
export { FirstAdminService } from './first-admin.service.js';
export { UserReader } from './user.reader.js';
export { UserReaderModule } from './user-reader.module.js';
