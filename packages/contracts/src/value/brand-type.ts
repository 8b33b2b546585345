declare const brand: unique symbol

/** A value that passed the schema of its kind. Cast to one only next to that schema. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
