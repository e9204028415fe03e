import fc from 'fast-check';
import { parseTemplate } from './template-parser.js';
import { render, renderMasked } from './template-renderer.js';
import type { TemplateVariables } from './template.js';

const SECRETS = { accessToken: 'ghp_t0ken', secret: 's3cret' };

const rendered = (text: string, variables: TemplateVariables = {}, secrets = SECRETS): string =>
  render(parseTemplate(text, 'SIGNING_SECRET'), variables, secrets);
const parsed = (...parameters: Parameters<typeof rendered>): unknown => JSON.parse(rendered(...parameters));

describe('render', () => {
  it("renders the specification's repository-dispatch payload", () => {
    const payload = `{
      "event_type": "model-promoted",
      "client_payload": {
        "event_author": "\${event_author}",
        "artifact_version": "\${artifact_version}",
        "artifact_version_string": "\${artifact_version_string}",
        "artifact_collection_name": "\${artifact_collection_name}",
        "project_name": "\${project_name}",
        "entity_name": "\${entity_name}"
      }
    }`;
    const variables = {
      event_author: 'ada',
      artifact_version: 'heddle-artifact:///_id/QXJ0',
      artifact_version_string: 'weavers/loom/policy:production',
      artifact_collection_name: 'policy',
      project_name: 'loom',
      entity_name: 'weavers',
    };
    expect(parsed(payload, variables)).toEqual({ event_type: 'model-promoted', client_payload: variables });
  });

  it.each([
    'say "hi" \\ back/slash',
    'two\nlines\ttab',
    '🪡 é',
    '\u2028\u2029',
    '\u0000\u001f',
    '"}, "admin": true, {"',
    '${ACCESS_TOKEN}',
    '$SIGNING_SECRET',
    '${tag}',
  ])('puts %j into a string as it is, and never looks at it again', (alias) => {
    expect(parsed('{"a": "<${alias}>", "${alias}": 1, "b": ${alias}}', { alias, tag: 'no' })).toEqual({
      a: `<${alias}>`,
      [alias]: 1,
      b: alias,
    });
  });

  it('keeps the types of unquoted values, and writes them as text in strings', () => {
    const artifact_metadata = { acc: 0.93, tags: ['a', "b'"], nested: { 'k"': null }, ok: true, name: 'x' };
    const keys = Object.keys(artifact_metadata);
    const literals = keys.map((key) => `"${key}": \${artifact_metadata.${key}}`).join();
    expect(parsed(`{${literals}}`, { artifact_metadata })).toEqual(artifact_metadata);
    const texts = keys.map((key) => `"\${artifact_metadata.${key}}"`).join();
    expect(parsed(`[${texts}]`, { artifact_metadata })).toEqual(['0.93', '["a","b\'"]', '{"k\\"":null}', 'true', 'x']);
  });

  it.each([
    ['a variable that does not apply', '${alias}'],
    ['missing metadata', '${artifact_metadata.acc}'],
    ['metadata that every object has', '${artifact_metadata.constructor}'],
    ['metadata deeper down', '${artifact_metadata.deep.key}'],
    ['a null', '${tag}'],
    ['an access token that the webhook does not have', '${ACCESS_TOKEN}'],
    ['a secret without value', '${SIGNING_SECRET}'],
  ])('renders %s as "" in a string and as null elsewhere', (_, placeholder) => {
    const variables = { tag: null, artifact_metadata: { deep: { key: 1 } } };
    const none = { accessToken: null, secret: null };
    expect(parsed(`["${placeholder}", ${placeholder}]`, variables, none as never)).toEqual(['', null]);
  });

  it('has no number for what JSON has none for', () => {
    expect(parsed('[${metric_value}, "${metric_value}"]', { metric_value: NaN })).toEqual([null, 'NaN']);
    expect(parsed('[${metric_value}]', { metric_value: -Infinity })).toEqual([null]);
  });

  it('puts secrets in, escaped like anything else', () => {
    const text = '["${ACCESS_TOKEN}", "$SIGNING_SECRET", $SIGNING_SECRET]';
    expect(parsed(text)).toEqual(['ghp_t0ken', 's3cret', 's3cret']);
    expect(parsed('"$SIGNING_SECRET"', {}, { accessToken: '', secret: 'a"b\n${alias}' })).toBe('a"b\n${alias}');
  });

  it('masks secrets for whoever may only look', () => {
    const template = parseTemplate('["${ACCESS_TOKEN}", "$SIGNING_SECRET", "${alias}"]', 'SIGNING_SECRET');
    const masked = renderMasked(template, { alias: 'prod' }, { accessToken: true, secret: false });
    expect(JSON.parse(masked)).toEqual(['***', '', 'prod']);
  });

  it('replaces lone surrogates, and nothing that looks like them', () => {
    const artifact_metadata = { o: { '\ud83d': ['\udd11x', '🔑', '\\ud83d'] } };
    const text = rendered('["${alias}", ${artifact_metadata.o}]', { alias: 'a\ud83d', artifact_metadata });
    expect(JSON.parse(text)).toEqual(['a\ufffd', { '\ufffd': ['\ufffdx', '🔑', '\\ud83d'] }]);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  it('refuses more than 256 KiB, counted in bytes and after escaping', () => {
    expect(rendered('"${alias}"', { alias: 'x'.repeat(256 * 1024 - 2) })).toHaveLength(256 * 1024);
    for (const alias of ['x'.repeat(256 * 1024 - 1), '"'.repeat(128 * 1024), 'é'.repeat(128 * 1024)]) {
      expect(() => rendered('"${alias}"', { alias })).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    }
  });

  it('is JSON whatever the values are', () => {
    const template = parseTemplate(
      '{"=${alias}": ["${tag}", ${tag}, "x${artifact_metadata.k}"], "n": ${artifact_metadata.k}}',
      null,
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.anything(), fc.jsonValue(), (alias, _, k) => {
        const text = render(
          template,
          { alias, tag: alias, artifact_metadata: { k } },
          { accessToken: null, secret: null },
        );
        expect(JSON.parse(text)).toMatchObject({ [`=${alias}`]: [alias, alias, expect.any(String)] });
      }),
    );
  });
});
