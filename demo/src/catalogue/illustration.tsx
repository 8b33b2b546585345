// The shop's own drawings. Colours are classes, so that the stylesheet decides them for light and dark.
import type { Child } from 'hono/jsx'
import type { Picture } from './product.js'

const BAG = 'M112 62h96l8 22v112a8 8 0 0 1-8 8h-96a8 8 0 0 1-8-8V84Z'
const RIDGE_FAR = 'M104 150l34-36 20 20 18-16 40 34v44a8 8 0 0 1-8 8h-96a8 8 0 0 1-8-8Z'
const RIDGE_NEAR = 'M104 174l28-20 24 16 22-18 38 24v20a8 8 0 0 1-8 8h-96a8 8 0 0 1-8-8Z'

function Bag({ children }: { readonly children: Child }) {
  return (
    <>
      <path class="c-paper" d={BAG} />
      {children}
      <path class="c-blue-deep" d={RIDGE_NEAR} />
      <path class="c-clay" d="M112 62h96l8 22H104Z" />
      <path class="c-line" d="M104 84h112" />
    </>
  )
}

const DRAWINGS: Readonly<Record<Picture, Child>> = {
  'bag-sunrise': (
    <Bag>
      <circle class="c-sun" cx="160" cy="124" r="22" />
      <path class="c-blue" d={RIDGE_FAR} />
    </Bag>
  ),
  'bag-mist': (
    <Bag>
      <path class="c-blue-soft" d={RIDGE_FAR} />
      <path class="c-mist" d="M122 112h52M138 124h60M118 136h44M150 148h52" />
    </Bag>
  ),
  dripper: (
    <>
      <path class="c-line" d="M212 96h14a14 14 0 0 1 0 30h-24" />
      <path class="c-paper" d="M96 78h128l-34 66h-60Z" />
      <path class="c-shade" d="M118 78l24 66M144 78l10 66M176 78l-10 66M202 78l-24 66" />
      <rect class="c-paper-deep" x="104" y="144" width="112" height="12" rx="6" />
      <path class="c-glass" d="M122 156h76l14 46a8 8 0 0 1-8 10h-88a8 8 0 0 1-8-10Z" />
      <path class="c-coffee" d="M114 186h92l6 18a8 8 0 0 1-8 8h-88a8 8 0 0 1-8-8Z" />
      <path class="c-steam" d="M144 62q-8-9 0-18t0-18M172 62q-8-9 0-18t0-18" />
    </>
  ),
  mug: (
    <>
      <path class="c-line-thick" d="M202 116h18a22 22 0 0 1 0 48h-20" />
      <path class="c-blue" d="M104 96h104v82a26 26 0 0 1-26 26h-52a26 26 0 0 1-26-26Z" />
      <path
        class="c-blue-deep"
        d="M104 150q26-14 52 0t52 0v28a26 26 0 0 1-26 26h-52a26 26 0 0 1-26-26Z"
      />
      <ellipse class="c-paper" cx="156" cy="96" rx="52" ry="12" />
      <ellipse class="c-coffee" cx="156" cy="97" rx="44" ry="8" />
      <path class="c-steam" d="M138 74q-8-9 0-18t0-18M166 74q-8-9 0-18t0-18" />
    </>
  ),
  'gift-card': (
    <>
      <rect
        class="c-blue-deep"
        x="86"
        y="82"
        width="156"
        height="98"
        rx="12"
        transform="rotate(-6 164 131)"
      />
      <rect class="c-paper" x="82" y="76" width="156" height="98" rx="12" />
      <path
        class="c-blue-soft"
        d="M82 150l44-40 26 24 24-18 62 46a12 12 0 0 1-12 12H94a12 12 0 0 1-12-12Z"
      />
      <path class="c-clay-line" d="M206 76v98M82 104h156" />
      <path
        class="c-clay"
        d="M206 104c-22-2-30-24-18-28 10-3 18 14 18 28 0-14 8-31 18-28 12 4 4 26-18 28Z"
      />
    </>
  ),
  course: (
    <>
      <rect class="c-line-fill" x="86" y="64" width="148" height="102" rx="10" />
      <rect class="c-blue-soft" x="94" y="72" width="132" height="86" rx="4" />
      <path class="c-blue" d="M94 140l34-30 24 20 22-16 52 36v8H94Z" />
      <circle class="c-paper" cx="160" cy="114" r="22" />
      <path class="c-clay" d="M153 102l20 12-20 12Z" />
      <path class="c-paper-deep" d="M72 172h176l-8 16a8 8 0 0 1-8 4H88a8 8 0 0 1-8-4Z" />
    </>
  ),
  tasting: (
    <>
      <path class="c-clay" d="M76 190h168l10 14a4 4 0 0 1-3 6H69a4 4 0 0 1-3-6Z" />
      <path class="c-paper" d="M76 142h52v22a26 26 0 0 1-52 0Z" />
      <path class="c-paper" d="M192 142h52v22a26 26 0 0 1-52 0Z" />
      <path class="c-blue" d="M130 128h60v30a30 30 0 0 1-60 0Z" />
      <ellipse class="c-coffee" cx="102" cy="142" rx="26" ry="6" />
      <ellipse class="c-coffee" cx="218" cy="142" rx="26" ry="6" />
      <ellipse class="c-paper" cx="160" cy="128" rx="30" ry="8" />
      <ellipse class="c-coffee" cx="160" cy="129" rx="25" ry="5" />
      <path
        class="c-steam"
        d="M160 108q-8-9 0-18t0-18M102 124q-6-7 0-14t0-14M218 124q-6-7 0-14t0-14"
      />
    </>
  ),
  book: (
    <>
      <path
        class="c-clay"
        d="M112 56h92a8 8 0 0 1 8 8v132h-92a16 16 0 0 1-16-16V64a8 8 0 0 1 8-8Z"
      />
      <path class="c-paper" d="M212 172v24a8 8 0 0 1-8 8h-84a16 16 0 0 1 0-32Z" />
      <path class="c-shade" d="M116 184h90M116 192h90" />
      <path
        class="c-cream-line"
        d="M138 128h44v6a18 18 0 0 1-18 18h-8a18 18 0 0 1-18-18ZM182 132h6a8 8 0 0 1 0 16h-8"
      />
      <path class="c-cream-line" d="M152 118q-6-7 0-14t0-14M168 118q-6-7 0-14t0-14" />
    </>
  ),
}

const TINTS: Readonly<Record<Picture, string>> = {
  'bag-sunrise': 'tint-sand',
  'bag-mist': 'tint-mist',
  dripper: 'tint-sky',
  mug: 'tint-sand',
  'gift-card': 'tint-rose',
  course: 'tint-sand',
  tasting: 'tint-mist',
  book: 'tint-sky',
}

/** A product's picture; its name is always beside it. */
export function Illustration({ picture }: { readonly picture: Picture }) {
  return (
    <svg
      class={`illustration ${TINTS[picture]}`}
      viewBox="40 10 240 220"
      aria-hidden="true"
      focusable="false"
    >
      <ellipse class="c-ground" cx="160" cy="208" rx="86" ry="9" />
      {DRAWINGS[picture]}
    </svg>
  )
}

/** The blue hills behind the front page's headline. */
export function Landscape() {
  return (
    <svg
      class="landscape"
      viewBox="0 0 1440 420"
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <circle class="l-sun" cx="1130" cy="132" r="64" />
      <path
        class="l-1"
        d="M0 352l170-34 170 26 190-70 170 50 190-90 170 50 190-106 190 96v146H0Z"
      />
      <path class="l-2" d="M0 376l220-34 190 30 200-58 170 46 220-92 180 62 260-80v170H0Z" />
      <path class="l-3" d="M0 400l260-36 230 28 250-46 240 34 220-56 240 30v66H0Z" />
    </svg>
  )
}
