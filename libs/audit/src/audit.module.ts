import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from '@heddle/database';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { AuditTrailService } from './audit-trail.service.js';
import { AuditRepository } from './audit.repository.js';

/** Writes down what people change over HTTP, in all features, and shows it to administrators. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  controllers: [AuditLogController],
  providers: [
    AuditLogService,
    AuditRepository,
    AuditTrailService,
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
  ],
  exports: [AuditTrailService],
})
export class AuditModule {}
