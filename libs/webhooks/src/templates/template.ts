import type { PayloadVariable } from '@heddle/secrets';

/** What a placeholder names. */
export type Reference =
  | { kind: 'variable'; name: PayloadVariable }
  /** A top-level key of the artifact version's metadata; a dot in it is a part of the key. */
  | { kind: 'metadata'; key: string }
  | { kind: 'access-token' }
  /** The webhook's own secret. */
  | { kind: 'secret' };

export interface Placeholder {
  reference: Reference;
  /** Whether it stands inside a JSON string: it becomes escaped text there, and a JSON literal elsewhere. */
  quoted: boolean;
}

/** A parsed payload: JSON text cut at its placeholders. */
export interface Template {
  parts: readonly (string | Placeholder)[];
}

/** Values of the variables; one that is absent does not apply. Anything that JSON can say. */
export type TemplateVariables = Partial<Record<PayloadVariable, unknown>> & {
  artifact_metadata?: Readonly<Record<string, unknown>>;
};

/** null where the webhook has none: its placeholders are empty then. */
export interface TemplateSecrets {
  accessToken: string | null;
  secret: string | null;
}

/** Largest payload, as a template and rendered. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
