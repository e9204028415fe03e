import { parseArtifactRef } from './artifact-ref.js';

const MODEL = { entity: 'weavers', project: 'loom', collection: 'agent.001', version: 'latest' };

describe('parseArtifactRef', () => {
  it.each([
    ['weavers/loom/agent.001', MODEL],
    ['wandb-artifact:///weavers/loom/agent.001', MODEL],
    ['wandb-artifact://weavers/loom/agent.001', MODEL],
    ['wandb-artifact:///weavers/loom/agent.001:step3', { ...MODEL, version: 'step3' }],
    ['weavers/loom/agent.001:v12', { ...MODEL, version: 'v12' }],
    ['a b/c:d/näme:älias', { entity: 'a b', project: 'c:d', collection: 'näme', version: 'älias' }],
  ])('reads %s', (ref, parts) => {
    expect(parseArtifactRef(ref, ['body', 'ref'])).toEqual(parts);
  });

  it.each([
    '',
    'agent',
    'loom/agent',
    'wandb-artifact:/weavers/loom/agent',
    'wandb-artifact:////weavers/loom/agent',
    'https://weavers/loom/agent',
    'weavers/loom/agent/more',
    'weavers/loom/agent:',
    'weavers/loom/:v1',
    'weavers/loom/agent:v1:v2',
    'weavers//agent',
    'wea\0vers/loom/agent',
    'weavers/loom/ag\0ent',
    'weavers/loom/agent:v\0',
    'weavers/loom/agent:\ud800',
  ])('refuses %j, and names the place', (ref) => {
    expect(() => parseArtifactRef(ref, ['body', 'ref'])).toThrow(
      expect.objectContaining({ status: 422, detail: [expect.objectContaining({ loc: ['body', 'ref'] })] }),
    );
  });
});
