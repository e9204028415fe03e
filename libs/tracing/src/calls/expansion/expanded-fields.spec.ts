import { indexJsonSync } from '@heddle/json';
import { expandedFields } from './expanded-fields.js';

describe('Fields behind references', () => {
  const node = (value: unknown) => indexJsonSync(Buffer.from(JSON.stringify(value)));
  const query = node({
    $and: [
      { $eq: [{ $getField: 'inputs.model.name' }, { $literal: { $getField: 'inputs.model.no' } }] },
      { $gt: [{ $getField: 'inputs.n' }, { $literal: 1 }] },
    ],
  });

  it('are those that a condition or a sort key names below an expanded column', () => {
    const sort = node([{ field: 'inputs.model.prompt.text', direction: 'asc' }]);
    expect(expandedFields(['inputs.model', 'inputs.model.prompt', 'inputs.mod'], query, sort)).toEqual([
      { name: 'inputs.model.name', column: 'inputs', path: ['model'], steps: [['name']] },
      { name: 'inputs.model.prompt.text', column: 'inputs', path: ['model'], steps: [['prompt'], ['text']] },
    ]);
  });

  it('are none without columns, and none outside of payloads', () => {
    expect(expandedFields([], query)).toEqual([]);
    expect(expandedFields(['op_name', 'none.x'], node({ $getField: 'none.x.y' }))).toEqual([]);
  });
});
