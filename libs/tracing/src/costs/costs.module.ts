import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CostsController } from './costs.controller.js';
import { CostsRepository } from './costs.repository.js';
import { CostsService } from './costs.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [CostsController],
  providers: [CostsService, CostsRepository],
  exports: [CostsService],
})
export class CostsModule {}
