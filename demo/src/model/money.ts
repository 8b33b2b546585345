/** An amount in centavos, a non-negative safe integer. */
export type Centavos = number

/** The amount as the API accepts it, without float arithmetic: 4290 is 42.90. */
export function toReais(amount: Centavos): number {
  return Number(`${BigInt(amount)}e-2`)
}

/** The amount of a response: 42.9 is 4290. */
export function toCentavos(reais: number): Centavos {
  return Number(reais.toFixed(2).replace('.', ''))
}
