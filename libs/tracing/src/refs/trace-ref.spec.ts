import { parseTraceRef } from './trace-ref.js';

const project = { entity: 'acme', project: 'support' };

describe('parseTraceRef', () => {
  it('reads objects and ops with a version, which is the latest if there is none', () => {
    expect(parseTraceRef('weave:///acme/support/object/greeting:v3')).toEqual({
      project,
      target: { type: 'object', kind: 'object', objectId: 'greeting', version: 'v3' },
      path: [],
    });
    expect(parseTraceRef('weave:///acme/support/op/predict')?.target).toMatchObject({ kind: 'op', version: 'latest' });
  });

  it('reads the steps into a value, unquoted', () => {
    expect(parseTraceRef('weave:///acme/support/object/d:abc/attr/rows/id/XYZ/key/a%2Fb/index/0')?.path).toEqual([
      { key: 'rows' },
      { row: 'XYZ' },
      { key: 'a/b' },
      { index: 0 },
    ]);
  });

  it('reads tables and calls', () => {
    expect(parseTraceRef('weave:///acme/support/table/0af/id/XYZ')).toEqual({
      project,
      target: { type: 'table', digest: '0af' },
      path: [{ row: 'XYZ' }],
    });
    expect(parseTraceRef('weave:///acme/support/call/0190/attr/output')?.target).toEqual({ type: 'call', id: '0190' });
  });

  it.each([
    'https://acme/support/object/a:b',
    'weave:///',
    'weave:///acme',
    'weave:///acme/support/object',
    'weave:///acme/support/object/',
    'weave:///acme/support/planet/a:b',
    'weave:///acme/support/object/a:b/attr',
    'weave:///acme/support/object/a:b/index/minus-one',
    'weave:///acme/support/object/a:b/sideways/x',
  ])('does not take %s for a reference', (text) => {
    expect(parseTraceRef(text)).toBeNull();
  });
});
