// Rules of the desk that a fake of it follows, too: only for tests.
export { withOrigin, withoutOrigin } from './model/field-origins.js'
export { limitsOf, shopChange } from './model/shop-settings.js'
