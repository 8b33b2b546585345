// Charts of figures. Each series has its own pattern besides its colour, and every chart has its
// table beside it.
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'

/** In pixels, so that a narrow screen has narrower bars, but texts of the same size. */
const HEIGHT = 240
const AXIS_WIDTH = 84
const BOTTOM = 8
const TOP = 12

export interface Series {
  readonly key: string
  readonly label: string
}

interface DayBarsProps {
  /** The prefix of the ids in the chart. */
  readonly id: string
  readonly label: string
  readonly days: readonly number[]
  readonly series: readonly Series[]
  readonly valueOf: (day: number, key: string) => number
  /** For the bars. */
  readonly format: (value: number) => string
  /** For the axis, which has little room. */
  readonly formatTick?: (value: number) => string
  readonly formatDay: (day: number) => string
}

/** Stacked bars of several series, by day. */
export function DayBars({ days, series, valueOf, format, ...props }: DayBarsProps) {
  const { id, label, formatDay, formatTick = format } = props
  const sums = days.map((day) => series.reduce((sum, { key }) => sum + valueOf(day, key), 0))
  // Horizontal positions are in percent, so that the chart fills its container.
  const x = scaleBand(days, [0, 100]).padding(0.2)
  const y = scaleLinear([0, Math.max(1, ...sums)], [HEIGHT - BOTTOM, TOP]).nice(4)
  const stacked = stack<number, string>()
    .keys(series.map(({ key }) => key))
    .value(valueOf)(days)
  const ticks = y.ticks(4)
  return (
    <>
      <Legend id={id} series={series} />
      <div class="chart">
        <svg class="tick" width={AXIS_WIDTH} height={HEIGHT} aria-hidden="true">
          {ticks.map((value) => (
            <text x={AXIS_WIDTH - 8} y={y(value) + 4} text-anchor="end">
              {formatTick(value)}
            </text>
          ))}
        </svg>
        <svg class="plot" height={HEIGHT} role="img" aria-labelledby={`${id}-title`}>
          <title id={`${id}-title`}>{label}</title>
          <Patterns id={id} series={series} />
          {ticks.map((value) => (
            <line class="tick" x1="0" x2="100%" y1={y(value)} y2={y(value)} />
          ))}
          {stacked.map((layer, index) =>
            layer.map(([from, to], place) => {
              const day = days[place] ?? 0
              if (to === from) return null
              return (
                <rect
                  x={`${x(day) ?? 0}%`}
                  y={y(to)}
                  width={`${x.bandwidth()}%`}
                  height={y(from) - y(to)}
                  fill={`url(#${id}-${index})`}
                >
                  <title>{`${formatDay(day)}: ${series[index]?.label ?? ''} ${format(to - from)}`}</title>
                </rect>
              )
            }),
          )}
        </svg>
        <div class="days minor">
          {[days[0], days.at(-1)].map(
            (day, index) =>
              day !== undefined &&
              (index === 0 || days.length > 1) && <span>{formatDay(day)}</span>,
          )}
        </div>
      </div>
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
  /** The value of a full bar; default: the greatest value. */
  readonly whole?: number
}

/** A list of bars, each with its value as text. */
export function Bars({ id, label, bars, whole }: BarsProps) {
  const x = scaleLinear([0, whole ?? Math.max(1, ...bars.map(({ value }) => value))], [0, 100])
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ label: name, value, text }, index) => (
        <li>
          <span>{name}</span>
          <svg class="plot" height={20} aria-hidden="true" focusable="false">
            {index === 0 && <Patterns id={id} series={[{ key: '', label }]} />}
            <rect width={`${x(value)}%`} height={20} fill={`url(#${id}-0)`} />
          </svg>
          <span class="number">{text}</span>
        </li>
      ))}
    </ul>
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
