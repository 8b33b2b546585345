import type { OrderMessages } from './order-messages.js'

export const orderTexts: OrderMessages = {
  title: (code) => `Order ${code}`,
  listTitle: 'My orders',
  listEmpty: { title: 'No orders yet', text: 'Orders placed in this browser appear here.' },
  code: 'Order code',
  reference: 'Reference',
  placedAt: 'Placed',
  items: 'Items',
  payment: 'Payment',
  paymentNames: { card: 'Credit card', boleto: 'Boleto', pix: 'PIX' },
  cardEnding: (brand, lastFour) => `${brand} ending in ${lastFour}`,
  installments: 'Installments',
  email: 'E-mail',
  view: 'Follow the order',
  tryAnotherCard: 'Try another card',
  tryAnotherMethod: 'Choose how to pay',
  buyAgain: 'Buy again',
  backToCart: 'See the cart',
  checkAgain: 'Check now',
  cardSaved: 'Your card was saved for next time.',
  history: 'What happened',
  placed: 'Order placed',
  refunds: 'Refunds',
  refundStates: {
    PROCESSING: 'Under way',
    PROCESSED: 'Done',
    REJECTED: 'Not made',
  },
  news: 'The order has changed',
  copy: {
    button: 'Copy code',
    done: 'Copied!',
  },
  pix: {
    title: 'Pay with PIX',
    steps: [
      'Open your bank’s app and choose PIX.',
      'Point the camera at the code, or paste the text below as “PIX copia e cola”.',
      'Confirm. This page shows the payment by itself.',
    ],
    scan: 'Point your bank app’s camera here',
    imageText: 'QR code of this order’s PIX. The same code is in text under “PIX copy and paste”.',
    code: 'PIX copy and paste',
    validUntil: (time) => `Valid until ${time}.`,
    remaining: 'Time left to pay',
    ended: 'The time to pay has ended.',
  },
  boleto: {
    title: 'Pay the boleto',
    dueDate: 'Due date:',
    line: 'Digitable line',
    open: 'Open the boleto',
    newTab: '(opens in another tab)',
    hint: 'Pay in your bank’s app or at a lottery shop. Confirmation takes up to one business day, and this page shows it when it comes.',
  },
  wallet: {
    title: (name) => `Finish at ${name}`,
    text: (name) =>
      `The payment is yet to be confirmed on the page of ${name}. Then you come back here.`,
    goOn: (name) => `Continue to ${name}`,
    leaving: (name) => `Taking you to ${name}`,
    leavingText: 'If the page does not open by itself, use the button.',
  },
  panel: {
    text: 'Pay this order, cancel it or let it lapse in the',
    link: 'test panel',
  },
  states: {
    processing: 'Processing',
    unknown: 'Being checked',
    paid: 'Paid',
    pending: 'Awaiting payment',
    review: 'Under review',
    rejected: 'Declined',
    cancelled: 'Cancelled',
    expired: 'Expired',
    unpaid: 'Not paid',
    refunded: 'Refunded',
    chargeback: 'Disputed',
  },
  results: {
    processing: {
      title: 'Your payment is being processed',
      text: 'Wait a moment and check again. Do not pay twice.',
    },
    unknown: {
      title: 'We are checking your payment',
      text: 'The answer to the payment did not reach us. Do not pay twice: the order is kept and we will find out what happened.',
    },
    paid: {
      title: 'Payment approved',
      text: 'Thank you! Your order is confirmed and on its way to be prepared.',
    },
    pending: {
      title: 'Order received',
      text: 'We are waiting for the payment to be confirmed. We will tell you, and the order page shows the status.',
    },
    review: {
      title: 'Order under review',
      text: 'The payment is being reviewed. We will tell you, and the order page shows the status.',
    },
    rejected: {
      title: 'Payment declined',
      text: 'The card was not authorised and nothing was charged. Your cart is kept: try another card.',
    },
    cancelled: {
      title: 'Order cancelled',
      text: 'The payment was cancelled and the order will not be sent. If you still want the goods, just buy again.',
    },
    expired: {
      title: 'The time to pay has ended',
      text: 'The payment was not made in time and the order was closed. Nothing was charged.',
    },
    unpaid: {
      title: 'Payment not confirmed',
      text: 'The bank did not confirm the payment and the order was closed. If you did pay, please contact our support.',
    },
    refunded: {
      title: 'Order refunded',
      text: 'The amount returns the way it was paid. On a card, it is on the next statements.',
    },
    chargeback: {
      title: 'Payment disputed',
      text: 'The purchase was disputed with the bank. Please contact our support.',
    },
  },
  waiting: {
    pix: {
      title: 'Just the PIX to go',
      text: 'Your order is reserved. As soon as the PIX arrives, this page confirms it.',
    },
    boleto: {
      title: 'Your boleto is ready',
      text: 'Your order is reserved. When the bank confirms the payment, it is on its way to be prepared.',
    },
    wallet: {
      title: 'The payment is not finished',
      text: 'The wallet has not confirmed the payment of this order yet.',
    },
  },
  notStarted: {
    title: 'The payment did not start',
    text: 'We could not prepare the payment, and nothing was charged. Your cart is kept: try again or choose another way to pay.',
  },
  notStartedState: 'Not started',
  partlyRefunded: {
    title: 'Part of the order refunded',
    text: 'A part of the amount returned the way it was paid. The rest of the order stands.',
  },
  partlyRefundedState: 'Partly refunded',
}
