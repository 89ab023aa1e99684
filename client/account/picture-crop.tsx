import { MAX_ZOOM } from '../../src/domain/account/crop.ts'
import { Button } from '../ui/button.tsx'
import { useTexts } from './account-view.tsx'

/**
 * The dialog for cropping the selected picture (spec/account-centre#picture). It requires JavaScript. Everything that
 * can be done by dragging can also be done with a slider, for keyboard and screen reader users.
 */
export function CropDialog() {
  const t = useTexts()
  return (
    <dialog className="dialog" id="crop" aria-labelledby="crop-title">
      <form method="dialog" className="account-crop">
        <header className="dialog-header">
          <h2 id="crop-title">{t('crop')}</h2>
        </header>
        <canvas className="account-crop-picture" />
        <Slider name="zoom" label={t('crop_size')} min={1} max={MAX_ZOOM} value={1} />
        <Slider name="x" label={t('crop_across')} min={0} max={1} value={0.5} />
        <Slider name="y" label={t('crop_down')} min={0} max={1} value={0.5} />
        <div className="dialog-actions">
          <Button type="button" kind="quiet" data-cancel="">
            {t('action.cancel')}
          </Button>
          <Button value="save">{t('save')}</Button>
        </div>
      </form>
    </dialog>
  )
}

type SliderProps = { name: string; label: string; min: number; max: number; value: number }

/** A slider that runs from left to right in every language, like the picture itself. */
function Slider({ name, label, min, max, value }: SliderProps) {
  return (
    <label className="account-slider">
      <span className="field-label">{label}</span>
      <input type="range" dir="ltr" step={0.01} name={name} min={min} max={max} defaultValue={value} />
    </label>
  )
}
