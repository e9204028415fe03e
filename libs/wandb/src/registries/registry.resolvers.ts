import type { EntitySource } from '../accounts/account.resolvers.js';
import type { MembershipSource } from '../artifacts/artifact-source.js';
import { connectionOf, type PageArgs } from '../graphql/connection.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { ValidationError } from '@heddle/http';
import { isRegistry, type PlaceSource } from '../places/place-source.js';
import type { LinkArtifactInput } from './sdk-links.service.js';
import { memberIdOf } from './member-id.js';
import type { MembersInput } from './sdk-registry-members.service.js';

interface Input<T> {
  input: T;
}

interface SearchArgs extends PageArgs {
  projectFilters?: string | null;
  collectionFilters?: string | null;
  filters?: string | null;
  order?: string | null;
}

const listOf = (context: GraphqlContext, { name }: EntitySource, filters: string | null | undefined) =>
  context.registries.list(context.caller, name, { filters: filters ?? null });

const organization: FieldResolvers<EntitySource> = {
  projects: async ({ name }, { filters, order, ...page }: SearchArgs, { caller, registries }) =>
    connectionOf(await registries.list(caller, name, { filters: filters ?? null, order: order ?? null }), page),
  artifactCollections: async (source, { projectFilters, filters, order, ...page }: SearchArgs, context) => {
    const places = await listOf(context, source, projectFilters);
    const wanted = { filters: filters ?? null, order: order ?? null };
    const lists = await Promise.all(places.map((place) => context.collectionList.list(place, wanted)));
    return connectionOf(lists.flat(), page);
  },
  artifactMemberships: async (
    source,
    { projectFilters, collectionFilters, filters, order, ...page }: SearchArgs,
    context,
  ) => {
    const found: MembershipSource[] = [];
    for (const place of await listOf(context, source, projectFilters)) {
      for (const collection of await context.collectionList.list(place, { filters: collectionFilters ?? null })) {
        found.push(...(await context.versionList.list(collection, { filters: filters ?? null, order: order ?? null })));
      }
    }
    return connectionOf(found, page);
  },
};

const project: FieldResolvers<PlaceSource> = {
  members: async (source, _args, { caller, registryMembers }) => {
    if (!isRegistry(source)) {
      throw ValidationError.at(
        ['variables', 'project'],
        'Members of projects are shown by the REST API only',
        'members',
      );
    }
    const members = await registryMembers.list(caller, source);
    return members.map(({ user: { id, username }, role }) => ({
      id: memberIdOf(id),
      name: username,
      username,
      email: null,
      role: { name: role },
    }));
  },
  teamMembers: () => [],
};

export const registryResolvers: Resolvers = {
  Mutation: {
    linkArtifact: async (_root, { input }: Input<LinkArtifactInput>, { caller, links }) => {
      const membership = await links.link(caller, input);
      return { versionIndex: membership.row.index, artifactMembership: membership };
    },
    unlinkArtifact: async (
      _root,
      { input }: Input<{ artifactID: string; artifactPortfolioID: string }>,
      { caller, links },
    ) => {
      await links.unlink(caller, input.artifactID, input.artifactPortfolioID);
      return { success: true };
    },
    deleteModel: async (_root, { input }: Input<{ id: string }>, { caller, registries }) => {
      await registries.delete(caller, input.id);
      return { success: true };
    },
    renameProject: (_root, { input }: Input<{ oldProjectName: string; newProjectName: string }>) => {
      const msg = `'${input.oldProjectName}' can't be renamed: it stands in refs`;
      throw ValidationError.at(['variables', 'input', 'newProjectName'], msg, 'project_name', input.newProjectName);
    },
    createProjectMembers: async (_root, { input }: Input<MembersInput>, { caller, registryMembers }) => {
      await registryMembers.add(caller, input);
      return { success: true };
    },
    deleteProjectMembers: async (_root, { input }: Input<MembersInput>, { caller, registryMembers }) => {
      await registryMembers.remove(caller, input);
      return { success: true };
    },
    updateProjectMember: async (
      _root,
      { input }: Input<{ projectId: string; userId: string; userProjectRole: string }>,
      { caller, registryMembers },
    ) => {
      await registryMembers.setRole(caller, input.projectId, input.userId, input.userProjectRole);
      return { success: true };
    },
  },
  Entity: organization,
  Project: project,
};
