import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CostsModule } from '../costs/costs.module.js';
import { QueryModule } from '../query/query.module.js';
import { AgentAttributesService } from './agent-attributes.service.js';
import { AgentChatsController } from './agent-chats.controller.js';
import { AgentChatsService } from './agent-chats.service.js';
import { AgentSearchService } from './agent-search.service.js';
import { AgentSpansReader } from './agent-spans.reader.js';
import { AgentSpansService } from './agent-spans.service.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { SpanStatsController } from './stats/span-stats.controller.js';
import { SpanStatsService } from './stats/span-stats.service.js';

/** What agents did, out of the spans that they sent. */
@Module({
  imports: [CostsModule, ProjectsModule, QueryModule],
  controllers: [AgentsController, AgentChatsController, SpanStatsController],
  providers: [
    AgentAttributesService,
    AgentChatsService,
    AgentSearchService,
    AgentSpansReader,
    AgentSpansService,
    AgentsService,
    SpanStatsService,
  ],
})
export class AgentsModule {}
