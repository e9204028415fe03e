import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import {
  CreateRegistryDto,
  ListRegistriesQuery,
  RegistryDto,
  RegistryPath,
  UpdateRegistryDto,
} from './dto/registry.dto.js';
import { RegistriesService } from './registries.service.js';

const FORBIDDEN = 'You are not an administrator of the registry.';
const NOT_FOUND = 'There is no such registry, or you have no role in it.';
const INVALID = 'A field is not valid.';

@Controller('v1/registries')
@Authenticated('bearer')
@ApiTags('registries')
export class RegistriesController {
  constructor(private readonly registries: RegistriesService) {}

  /**
   * Creates a registry. Team administrators only.
   *
   * @remarks They are its administrators, the other members of the team its viewers; the registry can grant other
   * roles.
   */
  @Post()
  @ApiErrors({
    403: 'You are not an administrator of the team.',
    404: 'There is no such team, or you are not a member.',
    409: 'The team has a registry of that name.',
    422: 'A field is not valid, or you have no default entity.',
  })
  async create(@Caller() caller: Principal, @Body() dto: CreateRegistryDto): Promise<RegistryDto> {
    return RegistryDto.from(await this.registries.create(caller, dto));
  }

  /** Lists the registries of one of your teams, or all in which you have a role. */
  @Get()
  @ApiPage(RegistryDto)
  @ApiErrors({
    404: 'There is no such team, or you are not a member.',
    422: 'The query is not valid, or no registry has the id `after`.',
  })
  async list(@Caller() caller: Principal, @Query() query: ListRegistriesQuery): Promise<Page<RegistryDto>> {
    return pageOf((await this.registries.list(caller, query.entity, query)).map(RegistryDto.from), query.limit);
  }

  /** Shows a registry. */
  @Get(':entity/:registry')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: RegistryPath): Promise<RegistryDto> {
    return RegistryDto.from(await this.registries.get(caller, path));
  }

  /** Describes a registry. Null takes the description away. Registry administrators only. */
  @Patch(':entity/:registry')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() path: RegistryPath,
    @Body() { description }: UpdateRegistryDto,
  ): Promise<RegistryDto> {
    return RegistryDto.from(await this.registries.describe(caller, path, description));
  }

  /**
   * Unlinks all versions of a registry, which automations see, and deletes it.
   *
   * @remarks The versions stay in their projects. Registry administrators only.
   */
  @Delete(':entity/:registry')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async delete(@Caller() caller: Principal, @Param() path: RegistryPath): Promise<void> {
    await this.registries.delete(caller, path);
  }
}
