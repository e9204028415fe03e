import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A ref says `entity/name/collection`, where the name is a project's or a registry's: a team has either of a name. A rule for
 * what is made from now on, since older databases may hold both. The lock makes two at once come one after the other; the
 * look after it then sees what the other one committed.
 */
export class PlaceNames1764200000013 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION require_free_place_name() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        taken boolean;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('place ' || NEW.team_id || '/' || NEW.name, 0));
        IF TG_TABLE_NAME = 'projects' THEN
          taken := EXISTS (SELECT FROM registries WHERE team_id = NEW.team_id AND name = NEW.name);
        ELSE
          taken := EXISTS (SELECT FROM projects WHERE team_id = NEW.team_id AND name = NEW.name);
        END IF;
        IF taken THEN
          RAISE EXCEPTION 'the name is taken' USING ERRCODE = 'unique_violation', CONSTRAINT = 'place_names_key';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER projects_place_name BEFORE INSERT OR UPDATE OF team_id, name ON projects
        FOR EACH ROW EXECUTE FUNCTION require_free_place_name();
      CREATE TRIGGER registries_place_name BEFORE INSERT OR UPDATE OF team_id, name ON registries
        FOR EACH ROW EXECUTE FUNCTION require_free_place_name();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER registries_place_name ON registries;
      DROP TRIGGER projects_place_name ON projects;
      DROP FUNCTION require_free_place_name();
    `);
  }
}
