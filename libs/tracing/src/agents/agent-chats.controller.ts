import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { AgentChatsService } from './agent-chats.service.js';
import { AgentSearchService } from './agent-search.service.js';
import {
  ConversationChat,
  ConversationSpansFound,
  MessagesFound,
  QueryConversationSpans,
  ReadConversationChat,
  ReadTraceChat,
  SearchMessages,
  TraceChat,
} from './agents.schema.js';

const readTrace = fieldReader(ReadTraceChat);
const readConversation = fieldReader(ReadConversationChat);
const readSpans = fieldReader(QueryConversationSpans);
const readSearch = fieldReader(SearchMessages);

const project_id = 'acme/support';

@TracingController('agents')
export class AgentChatsController {
  constructor(
    private readonly chats: AgentChatsService,
    private readonly messages: AgentSearchService,
  ) {}

  @TracePost('traces/chat', {
    summary: 'A trace as a chat: questions, agents, tools and answers in their order',
    body: ReadTraceChat,
    example: { project_id, trace_id: '0af7651916cd43dd8448eb211c80319c' },
    answer: TraceChat,
  })
  trace(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { project_id: projectId, trace_id: traceId } = readTrace(body);
    return this.chats.ofTrace(caller, projectId, traceId, clientLeft(response));
  }

  @TracePost('conversations/chat', {
    summary: 'A conversation as a chat: its newest turns',
    body: ReadConversationChat,
    example: { project_id, conversation_id: 'chat-1' },
    answer: ConversationChat,
  })
  conversation(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.chats.ofConversation(caller, readConversation(body), clientLeft(response));
  }

  @TracePost('conversations/spans', {
    summary: 'Which spans conversations have, in their order',
    body: QueryConversationSpans,
    example: { project_id, conversation_ids: ['chat-1'] },
    answer: ConversationSpansFound,
  })
  async spans(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return { conversations: await this.chats.spans(caller, readSpans(body), clientLeft(response)) };
  }

  @TracePost('search', {
    summary: 'Find what was said to agents and by them, by conversation',
    body: SearchMessages,
    example: { project_id, query: 'refund' },
    answer: MessagesFound,
  })
  search(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.messages.search(caller, readSearch(body), clientLeft(response));
  }
}
