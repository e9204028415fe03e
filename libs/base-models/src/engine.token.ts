/** The engine of this process. */
export const ENGINE = Symbol('ENGINE');
