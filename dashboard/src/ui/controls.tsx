/** Buttons, fields and badges. */

import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from "react";
import "./controls.css";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "plain" | "primary" | "danger" | "quiet";
  busy?: boolean;
}

export function Button({ look = "plain", busy = false, className = "", children, disabled, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look} ${className}`} disabled={disabled || busy} aria-busy={busy} {...rest}>
      {children}
    </button>
  );
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Show the label to screen readers only. */
  bare?: boolean;
}

export function Field({ label, bare = false, className = "", ...rest }: FieldProps) {
  return (
    <label className={`field ${className}`}>
      <span className={bare ? "visually-hidden" : "label"}>{label}</span>
      <input {...rest} />
    </label>
  );
}

interface ChoiceProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  bare?: boolean;
  options: readonly (readonly [value: string, text: string])[];
}

export function Choice({ label, bare = false, options, className = "", ...rest }: ChoiceProps) {
  return (
    <label className={`field ${className}`}>
      <span className={bare ? "visually-hidden" : "label"}>{label}</span>
      <select {...rest}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export type Tone = "plain" | "good" | "warn" | "bad" | "accent";

export function Badge({ tone = "plain", children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A number from 0 to 1 as a short bar with its percentage. */
export function Meter({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span className="meter" role="img" aria-label={`${label}: ${percent} %`} title={`${label}: ${percent} %`}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}

/** A key to press. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className="key">{children}</kbd>;
}
