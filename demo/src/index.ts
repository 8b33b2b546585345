export { createDemoShop } from './demo-shop.js'
export type { DemoShopDeps, ShopClock, ShopLog } from './shop-deps.js'
