import { Controller, Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { RunPath } from '../dto/run.dto.js';
import { ChartQuery } from './chart.dto.js';
import { RunChartService } from './run-chart.service.js';

const SVG = 'image/svg+xml';
const EXAMPLE = '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="390" viewBox="0 0 720 390">...</svg>';

@Controller('v1/projects/:entity/:project/runs/:run')
@Authenticated('bearer')
@ApiTags('runs')
export class ChartController {
  constructor(private readonly charts: RunChartService) {}

  /**
   * Draws metrics of a run as an SVG picture: a panel each, over the same steps.
   *
   * @remarks A long history is drawn as the mean of each pixel's values, in a band from their least to their greatest. What is NaN or infinite isn't drawn. The
   * background is transparent, for light and dark pages. A run without metrics gets a picture that says so.
   */
  @Get('chart')
  // Names come from anybody who may log: should escaping ever fail, a browser still runs and loads nothing.
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  @ApiOkResponse({ description: 'The picture.', content: { [SVG]: { schema: { type: 'string' }, example: EXAMPLE } } })
  @ApiErrors({
    404: 'There is no such run or project, or you have no role in the project, or the run has no such metric.',
    422: 'The query is not valid.',
  })
  async draw(@Caller() caller: Principal, @Param() path: RunPath, @Query() query: ChartQuery): Promise<StreamableFile> {
    const svg = Buffer.from(await this.charts.draw(caller, path, query));
    return new StreamableFile(svg, { type: `${SVG}; charset=utf-8`, length: svg.length });
  }
}
