/** A number from 0 to 1, set by sliding. `done` hears where it was left. */
interface SliderProps {
  label: string;
  value: number;
  change: (value: number) => void;
  done?: () => void;
  disabled?: boolean;
}

export function Slider({ label, value, change, done, disabled = false }: SliderProps) {
  const percent = Math.round(value * 100);
  return (
    <label className="field memories-slider">
      <span className="label">
        {label} <span>{percent} %</span>
      </span>
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        disabled={disabled}
        aria-valuetext={`${percent} %`}
        onChange={(event) => change(Number(event.target.value) / 100)}
        onPointerUp={done}
        onKeyUp={done}
        onBlur={done}
      />
    </label>
  );
}
