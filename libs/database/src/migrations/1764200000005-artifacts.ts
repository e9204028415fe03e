import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Artifacts1764200000005 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE registries (
        id uuid CONSTRAINT registries_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        team_id uuid NOT NULL CONSTRAINT registries_team_id_fkey REFERENCES teams ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX registries_team_id_name_key ON registries (team_id, name);

      CREATE TABLE registry_members (
        registry_id uuid NOT NULL CONSTRAINT registry_members_registry_id_fkey REFERENCES registries ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT registry_members_user_id_fkey REFERENCES users ON DELETE CASCADE,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT registry_members_pkey PRIMARY KEY (registry_id, user_id)
      );
      CREATE INDEX registry_members_user_id_idx ON registry_members (user_id);

      CREATE TABLE artifact_collections (
        id uuid CONSTRAINT artifact_collections_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        project_id integer CONSTRAINT artifact_collections_project_id_fkey REFERENCES projects ON DELETE CASCADE,
        registry_id uuid CONSTRAINT artifact_collections_registry_id_fkey REFERENCES registries ON DELETE CASCADE,
        name text NOT NULL,
        type text NOT NULL,
        description text,
        next_index integer NOT NULL DEFAULT 0,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT artifact_collections_place_check CHECK (num_nonnulls(project_id, registry_id) = 1)
      );
      CREATE UNIQUE INDEX artifact_collections_project_id_name_key ON artifact_collections (project_id, name);
      CREATE UNIQUE INDEX artifact_collections_registry_id_name_key ON artifact_collections (registry_id, name);

      CREATE TABLE artifact_collection_tags (
        collection_id uuid NOT NULL
          CONSTRAINT artifact_collection_tags_collection_id_fkey REFERENCES artifact_collections ON DELETE CASCADE,
        tag text NOT NULL,
        CONSTRAINT artifact_collection_tags_pkey PRIMARY KEY (collection_id, tag)
      );

      CREATE TABLE artifact_versions (
        id uuid CONSTRAINT artifact_versions_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        collection_id uuid NOT NULL
          CONSTRAINT artifact_versions_collection_id_fkey REFERENCES artifact_collections ON DELETE CASCADE,
        digest text,
        description text,
        metadata text NOT NULL,
        file_count integer NOT NULL DEFAULT 0,
        size_bytes bigint NOT NULL DEFAULT 0,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        committed_at timestamptz
      );
      CREATE INDEX artifact_versions_collection_id_idx ON artifact_versions (collection_id);
      -- What pruning looks for.
      CREATE INDEX artifact_versions_drafts_idx ON artifact_versions (created_at) WHERE (committed_at IS NULL);

      CREATE TABLE artifact_blobs (
        sha256 text COLLATE "C" CONSTRAINT artifact_blobs_pkey PRIMARY KEY,
        size_bytes bigint NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE artifact_files (
        version_id uuid NOT NULL CONSTRAINT artifact_files_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        path text COLLATE "C" NOT NULL,
        -- No cascade: content that a file still needs can't be forgotten.
        sha256 text COLLATE "C" NOT NULL CONSTRAINT artifact_files_sha256_fkey REFERENCES artifact_blobs,
        CONSTRAINT artifact_files_pkey PRIMARY KEY (version_id, path)
      );
      CREATE INDEX artifact_files_sha256_idx ON artifact_files (sha256);

      CREATE TABLE artifact_memberships (
        collection_id uuid NOT NULL
          CONSTRAINT artifact_memberships_collection_id_fkey REFERENCES artifact_collections ON DELETE CASCADE,
        version_id uuid NOT NULL
          CONSTRAINT artifact_memberships_version_id_fkey REFERENCES artifact_versions ON DELETE CASCADE,
        version_index integer NOT NULL,
        added_by text NOT NULL,
        added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT artifact_memberships_pkey PRIMARY KEY (collection_id, version_id)
      );
      CREATE UNIQUE INDEX artifact_memberships_index_key ON artifact_memberships (collection_id, version_index);
      CREATE INDEX artifact_memberships_version_id_idx ON artifact_memberships (version_id);

      CREATE TABLE artifact_aliases (
        collection_id uuid NOT NULL,
        alias text NOT NULL,
        version_id uuid NOT NULL,
        CONSTRAINT artifact_aliases_pkey PRIMARY KEY (collection_id, alias),
        CONSTRAINT artifact_aliases_membership_fkey FOREIGN KEY (collection_id, version_id)
          REFERENCES artifact_memberships (collection_id, version_id) ON DELETE CASCADE
      );
      CREATE INDEX artifact_aliases_membership_idx ON artifact_aliases (collection_id, version_id);

      CREATE TABLE artifact_tags (
        collection_id uuid NOT NULL,
        version_id uuid NOT NULL,
        tag text NOT NULL,
        CONSTRAINT artifact_tags_pkey PRIMARY KEY (collection_id, version_id, tag),
        CONSTRAINT artifact_tags_membership_fkey FOREIGN KEY (collection_id, version_id)
          REFERENCES artifact_memberships (collection_id, version_id) ON DELETE CASCADE
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE artifact_tags, artifact_aliases, artifact_memberships, artifact_files, artifact_blobs, artifact_versions,
        artifact_collection_tags, artifact_collections, registry_members, registries
    `);
  }
}
