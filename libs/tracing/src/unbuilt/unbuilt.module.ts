import { Module } from '@nestjs/common';
import { UnbuiltController } from './unbuilt.controller.js';

@Module({ controllers: [UnbuiltController] })
export class UnbuiltModule {}
