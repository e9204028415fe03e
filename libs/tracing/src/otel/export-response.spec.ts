import { exportResponse } from './export-response.js';
import { ExportTraceServiceResponse } from './otlp-messages.js';

describe('exportResponse', () => {
  it('is empty when every span was taken', () => {
    expect(exportResponse({ rejections: [] }, 'json').toString()).toBe('{}');
    expect(exportResponse({ rejections: [] }, 'protobuf')).toHaveLength(0);
  });

  it('counts the rejected spans, and says why for the first ones', () => {
    const rejections = Array.from({ length: 7 }, (_, i) => `reason ${i}`);
    const errorMessage = 'reason 0; reason 1; reason 2; reason 3; reason 4; and 2 more';
    expect(JSON.parse(exportResponse({ rejections }, 'json').toString())).toEqual({
      partialSuccess: { rejectedSpans: '7', errorMessage },
    });
    const decoded = ExportTraceServiceResponse.decode(exportResponse({ rejections }, 'protobuf'));
    expect(ExportTraceServiceResponse.toObject(decoded, { longs: Number })).toEqual({
      partialSuccess: { rejectedSpans: 7, errorMessage },
    });
  });
});
