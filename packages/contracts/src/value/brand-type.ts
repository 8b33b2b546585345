declare const brand: unique symbol

/** A value that passed the schema of its kind. Only that schema's file casts to it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
