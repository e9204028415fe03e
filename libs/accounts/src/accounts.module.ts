import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey, Team, TeamMember, User } from '@heddle/database';
import { AccountChangesService } from './account-changes.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { FirstAdminService } from './first-admin.service.js';
import { MeController } from './me.controller.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { TeamDeletionService } from './team-deletion.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';
import { UserApiKeysController } from './user-api-keys.controller.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Users, teams, members and API keys. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, Team, TeamMember, User])],
  controllers: [
    // As an administrator needs them: the API description shows them in this order.
    UsersController,
    UserApiKeysController,
    TeamsController,
    MembersController,
    MeController,
    ApiKeysController,
  ],
  providers: [
    AccountChangesService,
    ApiKeysService,
    FirstAdminService,
    MembersService,
    TeamDeletionService,
    TeamsService,
    UsersService,
  ],
  exports: [FirstAdminService, TeamDeletionService],
})
export class AccountsModule {}
