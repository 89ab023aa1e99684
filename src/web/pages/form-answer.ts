import { findPreviousPath } from '../../../client/app/page-choice.ts'
import type { PlacedReaction } from '../../../client/reactions/reactions.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import type { NavigationState } from '../../contract/interactions/interaction.ts'

type Page = Pick<BootData, 'path' | 'navigation'>

/** The server's answer to a form that was posted without JavaScript (spec/pages#forms-without-script). */
export type FormAnswer =
  /** Redirects to another page of the sign-in experience, which receives this state. */
  | { kind: 'goTo'; path: string; navigation: NavigationState | undefined }
  /** Redirects to another site. `connectorId` is set for a social provider. */
  | { kind: 'leave'; url: string; connectorId: string | undefined }
  /** Shows the page again, with a message. */
  | { kind: 'notice'; notice: NonNullable<BootData['notice']> }
  /** Shows the page that offers to start again, under a dialog if there is a notice. */
  | { kind: 'startAgain'; message: string; notice: BootData['notice'] }

/** Decides how the server performs a reaction. */
export function answerForm(page: Page, reaction: PlacedReaction): FormAnswer {
  switch (reaction.kind) {
    case 'goTo': {
      const { path, navigation, flash, message: problem, tone: problemTone } = reaction
      return {
        kind: 'goTo',
        path,
        navigation: flash || problem ? { ...navigation, flash, problem, problemTone } : navigation,
      }
    }
    case 'leave':
      return { kind: 'leave', url: reaction.url, connectorId: reaction.connectorId }
    case 'alert':
      return canGoBack(page, reaction.back)
        ? { kind: 'notice', notice: reaction }
        : { kind: 'startAgain', message: reaction.message, notice: reaction }
    case 'inline':
    case 'confirm':
      return { kind: 'notice', notice: reaction }
    case 'restart':
      return { kind: 'startAgain', message: reaction.message, notice: null }
  }
}

/** Checks whether an alert has somewhere to lead back to. A single page back may also mean to stay. */
const canGoBack = ({ path, navigation }: Page, back: number | string): boolean =>
  typeof back === 'string' || back <= 1 || findPreviousPath(path, back, navigation) !== null

/** Returns the error message that the previous page left for this one. */
export const noticeFromPreviousPage = (navigation: NavigationState | null | undefined): BootData['notice'] =>
  navigation?.problem
    ? { kind: 'inline', field: null, message: navigation.problem, tone: navigation.problemTone }
    : null
