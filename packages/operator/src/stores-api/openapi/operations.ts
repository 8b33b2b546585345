// The operations of the API of operators, for its document.
import {
  createdStoreSchema,
  notificationSecretSchema,
  rotationTable,
  storeBodySchema,
  storeKeyBodySchema,
  storeKeySecretSchema,
  storeKeyTable,
  storeListSchema,
  storeRequestTable,
  storeSettingsTable,
  storeWithKeysSchema,
} from '@cofre/contracts'
import type { ApiDescription, Operation } from '@cofre/gateway/room'
import texts from './operations.json' with { type: 'json' }

/** The bodies of each operation, and their names in the document. */
const BODIES: Readonly<
  Record<keyof typeof texts.operations, Pick<Operation, 'request' | 'response'>>
> = {
  listStores: { response: ['StoreList', storeListSchema] },
  createStore: {
    request: ['StoreRequest', storeRequestTable],
    response: ['CreatedStore', createdStoreSchema],
  },
  findStore: { response: ['StoreWithKeys', storeWithKeysSchema] },
  changeStore: {
    request: ['StoreSettingsRequest', storeSettingsTable],
    response: ['Store', storeBodySchema],
  },
  suspendStore: { response: ['Store', storeBodySchema] },
  resumeStore: { response: ['Store', storeBodySchema] },
  addStoreKey: {
    request: ['StoreKeyRequest', storeKeyTable],
    response: ['StoreKeySecret', storeKeySecretSchema],
  },
  rotateStoreKey: {
    request: ['RotationRequest', rotationTable],
    response: ['StoreKeySecret', storeKeySecretSchema],
  },
  endStoreKey: { response: ['StoreKey', storeKeyBodySchema] },
  drawNotificationSecret: {
    request: ['RotationRequest', rotationTable],
    response: ['NotificationSecret', notificationSecretSchema],
  },
}

const { info, tags, security, securitySchemes } = texts

/** For the document of the API of operators. */
export const OPERATOR_API: ApiDescription = {
  info,
  tags,
  security,
  securitySchemes,
  operations: (Object.keys(BODIES) as (keyof typeof BODIES)[]).map((id): Operation => ({
    id,
    version: 'v2',
    ...operationTexts(id),
    ...BODIES[id],
  })),
}

type OperationTexts = Omit<Operation, 'id' | 'version' | 'request' | 'response'>

function operationTexts(id: keyof typeof texts.operations): OperationTexts {
  return texts.operations[id] as OperationTexts
}
