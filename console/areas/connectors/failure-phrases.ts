import { failureSentences } from '../../../operator/doctor/failure-reasons.ts'
import { phrases } from '../../phrases.ts'

/** Why a message was not sent (spec/connectors#failure-reasons). The doctor uses the English sentences, too. */
export const failureTexts = phrases({
  en: {
    unreachableFailure: failureSentences.unreachable,
    timeoutFailure: failureSentences.timeout,
    certificateFailure: failureSentences.certificate,
    encryptionFailure: failureSentences.encryption,
    loginFailure: failureSentences.login,
    credentialsFailure: failureSentences.credentials,
    senderFailure: failureSentences.sender,
    recipientFailure: failureSentences.recipient,
    messageFailure: failureSentences.message,
    busyFailure: failureSentences.busy,
    unreadableFailure: failureSentences.unreadable,
    answered: 'The server says: {answer}',
    failedWith: 'The error code is {error}.',
    lastFailed: 'The last message failed at {time}.',
  },
  de: {
    unreachableFailure: 'Der Server ist nicht erreichbar. Prüfen Sie Hostname und Port.',
    timeoutFailure: 'Der Server hat nicht rechtzeitig geantwortet.',
    certificateFailure:
      'Der Server ist erreichbar, aber die verschlüsselte Verbindung kam nicht zustande. Prüfen Sie, ob das Zertifikat für diesen Host gilt und ob der Port diese Art von TLS verwendet.',
    encryptionFailure: 'Der Server bietet keine Verschlüsselung mit STARTTLS an.',
    loginFailure: 'Der Server bietet keine Art der Anmeldung an, die wir unterstützen.',
    credentialsFailure: 'Der Server lehnt die Zugangsdaten ab.',
    senderFailure: 'Der Server lehnt die Absenderadresse ab.',
    recipientFailure: 'Der Server lehnt die Empfängeradresse ab.',
    messageFailure: 'Der Server lehnt die Nachricht ab.',
    busyFailure: 'Der Server ist überlastet oder gestört. Versuchen Sie es später erneut.',
    unreadableFailure: 'Der Server hat unerwartet geantwortet. Prüfen Sie Adresse und Port.',
    answered: 'Der Server sagt: {answer}',
    failedWith: 'Der Fehlercode ist {error}.',
    lastFailed: 'Die letzte Nachricht ist am {time} fehlgeschlagen.',
  },
})
