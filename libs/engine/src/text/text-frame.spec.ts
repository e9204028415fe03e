import { textFrameOf } from './text-frame.js';

const BEGIN = { SpecialToken: { id: '<s>', type_id: 0 } };
const TEXT = { Sequence: { id: 'A', type_id: 0 } };
const END = { SpecialToken: { id: '</s>', type_id: 0 } };
const special_tokens = { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] }, '</s>': { id: '</s>', ids: [2] } };
const template = (...single: object[]) => ({ type: 'TemplateProcessing', single, special_tokens });

describe('textFrameOf', () => {
  it('is what a template puts around a single text', () => {
    expect(textFrameOf(template(BEGIN, TEXT))).toEqual({ before: [1], after: [] });
    expect(textFrameOf(template(BEGIN, TEXT, END))).toEqual({ before: [1], after: [2] });
    expect(textFrameOf(template(TEXT))).toEqual({ before: [], after: [] });
  });

  it('is found in a sequence, as of Llama 3', () => {
    const processors = [{ type: 'ByteLevel', trim_offsets: true }, template(BEGIN, TEXT)];
    expect(textFrameOf({ type: 'Sequence', processors })).toEqual({ before: [1], after: [] });
  });

  it.each([[null], [undefined], [{ type: 'ByteLevel' }], [template(END, { unknown: 1 })]])(
    'is nothing where nothing is said of it: %j',
    (processor) => {
      expect(textFrameOf(processor)).toEqual({ before: [], after: [] });
    },
  );
});
