import type { Centavos } from '../centavos.js'
import type { Language } from '../language/language.js'

/** What an illustration shows. */
export type Picture =
  'bag-sunrise' | 'bag-mist' | 'dripper' | 'mug' | 'gift-card' | 'course' | 'tasting' | 'book'

/** Something the shop sells. */
export interface Product {
  /** Identifier in addresses and forms. */
  readonly slug: string
  readonly type: 'physical' | 'digital'
  /** As the API takes it in `cart[].category`. */
  readonly category: string
  readonly priceCentavos: Centavos
  readonly picture: Picture
  readonly texts: Readonly<Record<Language, { readonly name: string; readonly about: string }>>
}

export const PRODUCTS: readonly Product[] = [
  {
    slug: 'cafe-alvorada',
    type: 'physical',
    category: 'cafe',
    priceCentavos: 4290,
    picture: 'bag-sunrise',
    texts: {
      'pt-BR': { name: 'Café Alvorada 250 g', about: 'Catuaí amarelo. Chocolate e caramelo.' },
      'en-US': {
        name: 'Alvorada coffee 250 g',
        about: 'Yellow catuaí. Chocolate and caramel.',
      },
    },
  },
  {
    slug: 'cafe-neblina',
    type: 'physical',
    category: 'cafe',
    priceCentavos: 4990,
    picture: 'bag-mist',
    texts: {
      'pt-BR': { name: 'Café Neblina 250 g', about: 'Bourbon vermelho. Laranja e flor de café.' },
      'en-US': {
        name: 'Neblina coffee 250 g',
        about: 'Red bourbon. Orange and coffee blossom.',
      },
    },
  },
  {
    slug: 'coador-porcelana',
    type: 'physical',
    category: 'utensilio',
    priceCentavos: 8900,
    picture: 'dripper',
    texts: {
      'pt-BR': { name: 'Coador de porcelana', about: 'Para duas xícaras, com sulcos em espiral.' },
      'en-US': { name: 'Porcelain dripper', about: 'For two cups, with spiral ridges.' },
    },
  },
  {
    slug: 'caneca-ceramica',
    type: 'physical',
    category: 'utensilio',
    priceCentavos: 6450,
    picture: 'mug',
    texts: {
      'pt-BR': { name: 'Caneca de cerâmica', about: 'Feita à mão, 280 ml, esmalte azul.' },
      'en-US': { name: 'Ceramic mug', about: 'Made by hand, 280 ml, blue glaze.' },
    },
  },
  {
    slug: 'vale-presente',
    type: 'digital',
    category: 'presente',
    priceCentavos: 10000,
    picture: 'gift-card',
    texts: {
      'pt-BR': { name: 'Vale-presente', about: 'R$ 100 em café para quem você quiser.' },
      'en-US': { name: 'Gift card', about: 'R$100 of coffee for someone you like.' },
    },
  },
  {
    slug: 'curso-barista',
    type: 'digital',
    category: 'curso',
    priceCentavos: 34900,
    picture: 'course',
    texts: {
      'pt-BR': { name: 'Curso Barista em casa', about: 'Doze aulas em vídeo, no seu ritmo.' },
      'en-US': { name: 'Barista at home course', about: 'Twelve video lessons, at your own pace.' },
    },
  },
  {
    slug: 'degustacao-ao-vivo',
    type: 'digital',
    category: 'evento',
    priceCentavos: 7900,
    picture: 'tasting',
    texts: {
      'pt-BR': { name: 'Degustação ao vivo', about: 'Uma hora on-line com quem torra o café.' },
      'en-US': { name: 'Live tasting', about: 'An hour online with the people who roast.' },
    },
  },
  {
    slug: 'livro-receitas',
    type: 'digital',
    category: 'livro',
    priceCentavos: 2990,
    picture: 'book',
    texts: {
      'pt-BR': { name: 'E-book Café à mesa', about: 'Quarenta receitas doces e salgadas.' },
      'en-US': { name: 'Café à mesa e-book', about: 'Forty recipes, sweet and savoury.' },
    },
  },
]

export function findProduct(slug: string): Product | undefined {
  return PRODUCTS.find((product) => product.slug === slug)
}
