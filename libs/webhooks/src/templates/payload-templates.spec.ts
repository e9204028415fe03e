import { describe, expect, it } from '@jest/globals';
import { PAYLOAD_VARIABLES } from '@heddle/secrets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PAYLOAD_TEMPLATES } from './payload-templates.js';
import { RECEIVER_SHAPES } from './receiver-shapes.fixture.js';
import { parseTemplate } from './template-parser.js';
import { render } from './template-renderer.js';

const NO_SECRETS = { accessToken: null, secret: null };
const ajv = new Ajv2020({ strict: false });

/** Every variable has some text that JSON must escape. */
const full = Object.fromEntries(PAYLOAD_VARIABLES.map((name) => [name, `${name} "é"\n<!channel>`]));

describe.each([...PAYLOAD_TEMPLATES])('the template for $receiver', ({ name, payload }) => {
  const template = parseTemplate(JSON.stringify(payload), null);
  const rendered = (variables: object): unknown => JSON.parse(render(template, variables, NO_SECRETS));

  it.each<[string, object]>([
    ['has all that there is', full],
    [
      'has nothing but what every event has',
      { automation_name: 'On alias', event_type: 'RUN_STATE', event_author: 'ada' },
    ],
  ])('is what the receiver documents where an event %s', (_, variables) => {
    const validate = ajv.compile(RECEIVER_SHAPES[name]!);
    expect([validate(rendered(variables)), validate.errors]).toEqual([true, null]);
  });

  it('needs no secret in its body', () => {
    expect(JSON.stringify(payload)).not.toMatch(/ACCESS_TOKEN|\$[A-Z]/);
  });
});

it('mentions nobody by a name that somebody made up', () => {
  const [slack, discord] = ['slack', 'discord'].map(
    (name) => PAYLOAD_TEMPLATES.find((each) => each.name === name)!.payload,
  );
  expect(JSON.stringify(slack)).not.toContain('mrkdwn');
  expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
});
