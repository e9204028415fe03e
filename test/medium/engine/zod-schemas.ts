import { z } from 'zod';

const Node = z.object({
  value: z.int().min(0).max(99),
  get next() {
    return z.union([Node, z.null()]);
  },
});
const Tree = z.object({
  name: z.string().max(8),
  get children(): z.ZodArray<z.ZodType> {
    return z.array(Tree).max(2);
  },
});

/** What people write with zod 4, each with a keyword or a form that is easy to get wrong. */
export const ZOD_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'an object of everything plain': z.object({ a: z.string().max(10), b: z.number(), c: z.boolean(), d: z.null() }),
  'a strict object': z.strictObject({ a: z.int().max(5), b: z.string().max(5).optional() }),
  'a loose object': z.looseObject({ a: z.literal(1) }),
  'optional and nullable': z.object({ a: z.string().max(4).optional(), b: z.string().max(4).nullable() }),
  'a default': z.object({ a: z.int().max(9).default(3) }),
  'an enumeration': z.object({ colour: z.enum(['red', 'green', 'blue']) }),
  'several literals': z.literal(['a', 1, true, null]),
  'a discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number().positive() }),
    z.object({ kind: z.literal('square'), side: z.int().min(1).max(12) }),
  ]),
  'an intersection': z.intersection(z.object({ a: z.int().max(9) }), z.object({ b: z.string().max(5) })),
  'an intersection of strict parts': z.intersection(z.string().min(2).max(9), z.string().regex(/^a/)),
  'a union of objects': z.union([z.object({ a: z.int().max(9) }), z.object({ b: z.boolean() })]),
  'a linked list': Node,
  'a tree': Tree,
  'a tuple': z.tuple([z.string().max(5), z.int().max(9)]),
  'a tuple with a rest': z.tuple([z.literal('x')], z.boolean()),
  'a record': z.record(z.string().max(6), z.int().max(9)),
  'a record of an enumeration': z.record(z.enum(['a', 'b']), z.boolean()),
  'a partial record': z.partialRecord(z.enum(['a', 'b', 'c']), z.int().max(3)),
  'a record with a pattern': z.record(z.string().regex(/^k_[a-z]{1,4}$/), z.boolean()),
  'an array with bounds': z.array(z.int().min(-5).max(5)).min(2).max(4),
  'a non-empty array': z
    .array(z.enum(['x', 'y']))
    .nonempty()
    .max(3),
  'a pattern': z.string().regex(/^[A-Z]{3}-\d{4}$/),
  'a pattern that is not anchored': z
    .string()
    .regex(/cat|dog/)
    .max(12),
  'a pattern that looks ahead': z.string().regex(/^(?=.*\d)(?=.*[a-z])[a-z0-9]{4,8}$/),
  'a pattern beyond ASCII': z.string().regex(/^[а-яё]{2,6}$/u),
  'two patterns': z.string().regex(/^a/).regex(/z$/).max(9),
  'starts, includes and ends': z.string().startsWith('id:').includes('-').endsWith('!').max(14),
  'lower case': z.string().lowercase().min(2).max(8),
  lengths: z.string().min(3).max(5),
  'one length': z.string().length(4),
  'a multiple': z.int().multipleOf(7).min(-70).max(700),
  'a multiple of a tenth': z.number().multipleOf(0.1).min(0).max(5),
  'a positive number': z.number().positive().max(1),
  'a negative whole number': z.int().negative().min(-30),
  int32: z.int32(),
  'an email': z.email(),
  'a UUID': z.uuid(),
  'a version 4 UUID': z.uuidv4(),
  'a date': z.iso.date(),
  'a time': z.iso.time(),
  'a date and time': z.iso.datetime(),
  'a duration': z.iso.duration(),
  'an IPv4 address': z.ipv4(),
  'an IPv6 address': z.ipv6(),
  'a CIDR': z.cidrv4(),
  base64: z.base64().max(16),
  'a ULID': z.ulid(),
  'a nano id': z.nanoid(),
  'never, optionally': z.object({ a: z.never().optional(), b: z.literal(2) }),
  'any JSON': z.object({ value: z.json() }),
  anything: z.object({ value: z.unknown() }),
  described: z.object({ a: z.string().max(5).describe('A word') }).meta({ title: 'Described', id: 'described' }),
};
