export { AccountsModule } from './accounts.module.js';
export { FirstAdminService } from './first-admin.service.js';
