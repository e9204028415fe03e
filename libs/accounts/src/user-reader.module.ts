import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { User } from '@heddle/database';
import { UserReader } from './user.reader.js';

/** What other features find users with: no routes. */
@Module({ imports: [TypeOrmModule.forFeature([User])], providers: [UserReader], exports: [UserReader] })
export class UserReaderModule {}
