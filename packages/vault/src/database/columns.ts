/** The columns of a row that is whole, as every value of a prepared query is. */
export const columnsOf = <Whole extends object>(row: Whole) =>
  Object.keys(row) as (keyof Whole & string)[]
