export { createDemoShop } from './demo-shop.js'
export type { DemoShopDeps, ShopLog } from './payment/shop.js'
