export function Fact({ term, children }: { readonly term: string; readonly children?: unknown }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
