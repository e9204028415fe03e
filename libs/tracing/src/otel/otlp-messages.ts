import protobuf from 'protobufjs/light.js';

const field = (id: number, type: string): protobuf.IField => ({ id, type });
const repeated = (id: number, type: string): protobuf.IField => ({ id, type, rule: 'repeated' });

/**
 * The messages of opentelemetry.proto.{common,resource,trace}.v1 below ScopeSpans, and the export response, by their
 * published field numbers. Unknown fields are skipped. Larger messages are walked by hand: see protobuf-spans.ts.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      },
    },
    ArrayValue: { fields: { values: repeated(1, 'AnyValue') } },
    KeyValueList: { fields: { values: repeated(1, 'KeyValue') } },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    Resource: { fields: { attributes: repeated(1, 'KeyValue'), droppedAttributesCount: field(2, 'uint32') } },
    InstrumentationScope: {
      fields: {
        name: field(1, 'string'),
        version: field(2, 'string'),
        attributes: repeated(3, 'KeyValue'),
        droppedAttributesCount: field(4, 'uint32'),
      },
    },
    Event: {
      fields: {
        timeUnixNano: field(1, 'fixed64'),
        name: field(2, 'string'),
        attributes: repeated(3, 'KeyValue'),
        droppedAttributesCount: field(4, 'uint32'),
      },
    },
    Link: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        traceState: field(3, 'string'),
        attributes: repeated(4, 'KeyValue'),
        droppedAttributesCount: field(5, 'uint32'),
        flags: field(6, 'fixed32'),
      },
    },
    Status: { fields: { message: field(2, 'string'), code: field(3, 'int32') } },
    Span: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        traceState: field(3, 'string'),
        parentSpanId: field(4, 'bytes'),
        name: field(5, 'string'),
        kind: field(6, 'int32'),
        startTimeUnixNano: field(7, 'fixed64'),
        endTimeUnixNano: field(8, 'fixed64'),
        attributes: repeated(9, 'KeyValue'),
        droppedAttributesCount: field(10, 'uint32'),
        events: repeated(11, 'Event'),
        droppedEventsCount: field(12, 'uint32'),
        links: repeated(13, 'Link'),
        droppedLinksCount: field(14, 'uint32'),
        status: field(15, 'Status'),
        flags: field(16, 'fixed32'),
      },
    },
    ExportTracePartialSuccess: { fields: { rejectedSpans: field(1, 'int64'), errorMessage: field(2, 'string') } },
    ExportTraceServiceResponse: { fields: { partialSuccess: field(1, 'ExportTracePartialSuccess') } },
  },
});

export const AnyValue = root.lookupType('AnyValue');
export const Span = root.lookupType('Span');
export const Resource = root.lookupType('Resource');
export const InstrumentationScope = root.lookupType('InstrumentationScope');
export const ExportTraceServiceResponse = root.lookupType('ExportTraceServiceResponse');
