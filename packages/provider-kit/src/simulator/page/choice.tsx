interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
}

export function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(choices).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
