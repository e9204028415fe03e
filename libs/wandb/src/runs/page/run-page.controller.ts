import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { SdkRunsService } from '../sdk-runs.service.js';
import { runPage } from './run-page.js';

/** The page loads its chart from here and nothing from elsewhere, and runs no script. */
const POLICY = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'";

/** Where clients send people: a browser asks for the key as the password of any name. */
@Controller(':entity/:project/runs')
@Authenticated('basic')
@ApiExcludeController()
export class RunPageController {
  constructor(private readonly runs: SdkRunsService) {}

  /** A page about a run. */
  @Get(':run')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  async get(
    @Caller() caller: Principal,
    @Param() { entity, project, run }: { entity: string; project: string; run: string },
  ): Promise<string> {
    return runPage(await this.runs.find(caller, { entityName: entity, projectName: project, runName: run }, 'viewer'));
  }
}
