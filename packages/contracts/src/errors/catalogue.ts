import type { ErrorDefinition } from './error-definition.js'
import { headerErrors } from './header-errors.js'
import { lookupErrors } from './lookup-errors.js'
import { refundErrors } from './refund-errors.js'
import { searchErrors } from './search-errors.js'
import { serviceErrors } from './service-errors.js'
import { transactionErrors } from './transaction-errors.js'

const catalogue = {
  ...headerErrors,
  ...lookupErrors,
  ...transactionErrors,
  ...searchErrors,
  ...refundErrors,
  ...serviceErrors,
}

/** The name of an error inside the product. Several names may share a code where one code has several causes. */
export type ErrorName = keyof typeof catalogue

/** Every error the service answers with, by name. */
export const errorCatalogue: Readonly<Record<ErrorName, ErrorDefinition>> = catalogue
