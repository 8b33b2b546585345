// Pictures of figures. Each series has its own pattern beside its colour, and every picture has its
// table beside it.
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'

const WIDTH = 640
const HEIGHT = 240
/** Room for the axes' texts. */
const LEFT = 96
const BOTTOM = 24
const TOP = 8

export interface Series {
  readonly key: string
  readonly label: string
}

interface DayBarsProps {
  /** Of the picture, for the ids in it. */
  readonly id: string
  readonly label: string
  readonly days: readonly number[]
  readonly series: readonly Series[]
  readonly valueOf: (day: number, key: string) => number
  /** For the axis and the bars. */
  readonly format: (value: number) => string
  readonly formatDay: (day: number) => string
}

/** Bars by day, of several things that add up. */
export function DayBars({ days, series, valueOf, format, ...props }: DayBarsProps) {
  const { id, label, formatDay } = props
  const sums = days.map((day) => series.reduce((sum, { key }) => sum + valueOf(day, key), 0))
  const x = scaleBand(days, [LEFT, WIDTH]).padding(0.2)
  const y = scaleLinear([0, Math.max(1, ...sums)], [HEIGHT - BOTTOM, TOP]).nice(4)
  const stacked = stack<number, string>()
    .keys(series.map(({ key }) => key))
    .value(valueOf)(days)
  return (
    <>
      <Legend id={id} series={series} />
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title`}
      >
        <title id={`${id}-title`}>{label}</title>
        <Patterns id={id} series={series} />
        {y.ticks(4).map((value) => (
          <g class="tick">
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {format(value)}
            </text>
          </g>
        ))}
        {stacked.map((layer, index) =>
          layer.map(([from, to], place) => {
            const day = days[place] ?? 0
            if (to === from) return null
            return (
              <rect
                x={x(day)}
                y={y(to)}
                width={x.bandwidth()}
                height={y(from) - y(to)}
                fill={`url(#${id}-${index})`}
              >
                <title>{`${formatDay(day)}: ${series[index]?.label ?? ''} ${format(to - from)}`}</title>
              </rect>
            )
          }),
        )}
        {[days[0], days.at(-1)].map((day, index) =>
          day === undefined || (index === 1 && days.length === 1) ? null : (
            <text
              class="tick"
              x={index === 0 ? LEFT : WIDTH}
              y={HEIGHT - 6}
              text-anchor={index === 0 ? 'start' : 'end'}
            >
              {formatDay(day)}
            </text>
          ),
        )}
      </svg>
    </>
  )
}

export interface Bar {
  readonly label: string
  readonly value: number
  /** At the bar's end. */
  readonly text: string
}

interface BarsProps {
  readonly id: string
  readonly label: string
  readonly bars: readonly Bar[]
  /** What a whole bar is; default: the greatest value. */
  readonly whole?: number
}

const ROW = 30

/** A bar for each thing, one below the other, with its value as text. */
export function Bars({ id, label, bars, whole }: BarsProps) {
  const height = bars.length * ROW
  const x = scaleLinear([0, whole ?? Math.max(1, ...bars.map(({ value }) => value))], [0, 360])
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-labelledby={`${id}-title`}
    >
      <title id={`${id}-title`}>{label}</title>
      <Patterns id={id} series={[{ key: '', label }]} />
      {bars.map(({ label: name, value, text }, index) => (
        <g>
          <text x={0} y={index * ROW + 20}>
            {name}
          </text>
          <rect x={170} y={index * ROW + 5} width={x(value)} height={20} fill={`url(#${id}-0)`} />
          <text x={178 + x(value)} y={index * ROW + 20}>
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Shapes that differ without colour: plain, slanted, dotted, upright. */
const SHAPES = ['', 'M0 8L8 0', 'M4 3v2', 'M4 0v8'] as const

function Patterns({ id, series }: { readonly id: string; readonly series: readonly Series[] }) {
  return (
    <defs>
      {series.map((_, index) => (
        <pattern id={`${id}-${index}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect class={`series-${index}`} width={8} height={8} />
          <path class="grain" d={SHAPES[index % SHAPES.length]} />
        </pattern>
      ))}
    </defs>
  )
}

function Legend({ id, series }: { readonly id: string; readonly series: readonly Series[] }) {
  return (
    <ul class="legend actions">
      {series.map(({ label }, index) => (
        <li>
          <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true" focusable="false">
            <rect width={16} height={16} fill={`url(#${id}-${index})`} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}
