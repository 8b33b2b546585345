// Rules that a fake of the figures follows, too: only for tests.
export { storeFigures } from './model/store-figures.js'
