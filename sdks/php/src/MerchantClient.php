<?php

declare(strict_types=1);

namespace Cofre\Merchant;

use Cofre\Merchant\Request\Amount;
use Cofre\Merchant\Request\ChangeInterest;
use Cofre\Merchant\Request\CreatePaymentLink;
use Cofre\Merchant\Request\CreateRefund;
use Cofre\Merchant\Request\CreateTransaction;
use Cofre\Merchant\Request\Omitted;
use Cofre\Merchant\Request\PaymentLinkQuery;
use Cofre\Merchant\Request\PaymentQuery;
use Cofre\Merchant\Request\PaymentSearch;
use Cofre\Merchant\Request\RefundQuery;
use Cofre\Merchant\Request\SaveCard;
use Cofre\Merchant\Request\SavedCardSearch;
use Cofre\Merchant\Request\SearchQuery;
use Cofre\Merchant\Response\Bin;
use Cofre\Merchant\Response\Cancellation;
use Cofre\Merchant\Response\Capture;
use Cofre\Merchant\Response\CardLookup;
use Cofre\Merchant\Response\CheckedCard;
use Cofre\Merchant\Response\CreatedTransaction;
use Cofre\Merchant\Response\EventPage;
use Cofre\Merchant\Response\FoundTransaction;
use Cofre\Merchant\Response\Installment;
use Cofre\Merchant\Response\Interest;
use Cofre\Merchant\Response\Payment;
use Cofre\Merchant\Response\PaymentLink;
use Cofre\Merchant\Response\PaymentLinkPage;
use Cofre\Merchant\Response\PaymentPage;
use Cofre\Merchant\Response\PaymentSummary;
use Cofre\Merchant\Response\RefundPage;
use Cofre\Merchant\Response\RefundSummary;
use Cofre\Merchant\Response\SavedCard;
use Cofre\Merchant\Response\SavedCardPage;
use Cofre\Merchant\Response\SearchPage;
use Cofre\Merchant\Response\Wire;

/**
 * The service's API; requests have a store's signature. Retries requests if that is safe: a creation always has a
 * reference and an idempotency key. Every method throws {@see MerchantError}; a creation with an unknown outcome
 * throws {@see OutcomeUnknown}.
 */
final readonly class MerchantClient
{
    use EventCalls;

    /** The service's own refusal of such a number. */
    private const NOT_FOUND_ERRORS = ['errors' => [['code' => 20614, 'description' => 'transaction_not_found']]];

    public function __construct(private Connection $connection)
    {
    }

    /**
     * @param CreateTransaction|array<string, mixed> $order An array in the API's form: `['transaction' => …]`.
     * @param ?string $idempotencyKey A repeated request within 24 hours returns the first response. Null makes a key.
     */
    public function createTransaction(
        #[\SensitiveParameter] CreateTransaction|array $order,
        ?string $idempotencyKey = null,
    ): CreatedTransaction {
        $body = is_array($order) ? $order : $order->jsonSerialize();
        if (!is_array($body['transaction'] ?? null)) {
            throw new \TypeError("order['transaction'] must be an array");
        }
        Arguments::refuseKeyIn('order', $body);
        if (array_key_exists('reference', $body)) {
            throw new \TypeError("order['reference'] is not known. It belongs into order['transaction']");
        }
        $key = $this->keyOf($idempotencyKey);
        $reference = self::referenceIn("order['transaction']", $body['transaction'], $key);
        $body['transaction']['reference'] = $reference;
        return $this->connection->create('/transactions', $body, $reference, $key, CreatedTransaction::read(...));
    }

    /** @throws MerchantError with status 404 and code 20614 if the transaction does not exist */
    public function findTransaction(string $code): FoundTransaction
    {
        Connection::requireText('code', $code);
        $found = $this->connection->get('/transactions/' . rawurlencode($code), SearchPage::read(...));
        return $found->transactions[0]
            ?? throw new MerchantError(FailureReason::Refused, 404, ErrorDetail::readAll(self::NOT_FOUND_ERRORS));
    }

    /** Finds an order by the shop's reference. */
    public function findByReference(string $reference): ?FoundTransaction
    {
        Connection::requireText('reference', $reference);
        return $this->searchTransactions(new SearchQuery(reference: $reference))->transactions[0] ?? null;
    }

    /**
     * All results, page after page; each page is requested when needed. A transaction that changes meanwhile may move
     * to another page: to follow changes, let your searches overlap.
     * @return \Generator<int, FoundTransaction>
     */
    public function allTransactions(SearchQuery $query): \Generator
    {
        $page = $query->page ?? 1;
        do {
            $read = $this->pageOf($query, $page++);
            foreach ($read->transactions as $transaction) {
                yield $transaction;
            }
        } while ($page <= $read->totalPages && $read->transactions !== []);
    }

    /** One page of a search. */
    public function searchTransactions(SearchQuery $query): SearchPage
    {
        return $this->pageOf($query, $query->page);
    }

    /**
     * Starts a refund and returns its id; its outcome comes by notification.
     * @param CreateRefund|array<string, mixed> $refund
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     */
    public function createRefund(CreateRefund|array $refund, ?string $idempotencyKey = null): string
    {
        $body = is_array($refund) ? $refund : $refund->jsonSerialize();
        Arguments::refuseKeyIn('refund', $body);
        // A misspelt or unset amount would refund the whole payment.
        Arguments::requireKnown('refund', CreateRefund::FIELDS, $body);
        if (array_key_exists('amount', $body)) {
            Arguments::requireAmount("refund['amount']", $body['amount']);
        }
        $key = $this->keyOf($idempotencyKey);
        $body['reference'] = self::referenceIn('refund', $body, $key);
        $read = static fn (Wire $wire): string => $wire->identifier('refund-id');
        return $this->connection->create('/refunds', $body, $body['reference'], $key, $read);
    }

    /**
     * Creates a link whose `url` shoppers open to pay.
     * @param CreatePaymentLink|array<string, mixed> $link
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     */
    public function createPaymentLink(CreatePaymentLink|array $link, ?string $idempotencyKey = null): PaymentLink
    {
        $body = is_array($link) ? $link : $link->jsonSerialize();
        Arguments::refuseKeyIn('link', $body);
        // A link with a misspelt or unset end could be paid forever.
        Arguments::requireKnown('link', CreatePaymentLink::FIELDS, $body);
        $key = $this->keyOf($idempotencyKey);
        $body['reference'] = self::referenceIn('link', $body, $key);
        return $this->connection->create('/payment-links', $body, $body['reference'], $key, PaymentLink::readOne(...));
    }

    /**
     * Finds a link with its tries.
     * @throws MerchantError with status 404 if it does not exist
     */
    public function findPaymentLink(string $code): PaymentLink
    {
        Connection::requireText('code', $code);
        return $this->connection->get('/payment-links/' . rawurlencode($code), PaymentLink::readOne(...));
    }

    /** One page of the links, newest first. */
    public function listPaymentLinks(PaymentLinkQuery $query = new PaymentLinkQuery()): PaymentLinkPage
    {
        return $this->linksOf($query->jsonSerialize());
    }

    /**
     * All links, page after page; each page is requested when needed.
     * @return \Generator<int, PaymentLink>
     */
    public function allPaymentLinks(PaymentLinkQuery $query = new PaymentLinkQuery()): \Generator
    {
        $page = $query->page ?? 1;
        do {
            $read = $this->linksOf(['page' => $page++] + $query->jsonSerialize());
            foreach ($read->paymentLinks as $link) {
                yield $link;
            }
        } while ($page <= $read->totalPages && $read->paymentLinks !== []);
    }

    /**
     * Revokes a link permanently; a revoked link stays unchanged.
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     */
    public function revokePaymentLink(string $code, ?string $idempotencyKey = null): PaymentLink
    {
        Connection::requireText('code', $code);
        $key = $this->keyOf($idempotencyKey);
        $target = '/payment-links/' . rawurlencode($code) . '/revocations';
        return $this->connection->create($target, [], $code, $key, PaymentLink::readOne(...));
    }

    /**
     * Finds a payment with its charge, refunds, notifications, disputes and settlement lines.
     * @throws MerchantError with status 404 and code 20614 if it does not exist
     */
    public function findPayment(string $code): Payment
    {
        Connection::requireText('code', $code);
        return $this->connection->get('/payments/' . rawurlencode($code), Payment::readOne(...), 'v2');
    }

    /** One page of the payments, newest first. */
    public function listPayments(PaymentQuery $query = new PaymentQuery()): PaymentPage
    {
        return $this->paymentsOf($query->jsonSerialize());
    }

    /**
     * All payments, page after page; each page is requested when needed.
     * @return \Generator<int, PaymentSummary>
     */
    public function allPayments(PaymentQuery $query = new PaymentQuery()): \Generator
    {
        foreach (self::pagesOf($query->jsonSerialize(), $this->paymentsOf(...)) as $page) {
            foreach ($page->payments as $payment) {
                yield $payment;
            }
        }
    }

    /** One page of a payer's payments. The payer is in the body: logs contain addresses. */
    public function searchPayments(PaymentSearch $search): PaymentPage
    {
        return $this->paymentsOfPayer($search->jsonSerialize());
    }

    /**
     * All payments of a payer, page after page; each page is requested when needed.
     * @return \Generator<int, PaymentSummary>
     */
    public function allPaymentsOfPayer(PaymentSearch $search): \Generator
    {
        foreach (self::pagesOf($search->jsonSerialize(), $this->paymentsOfPayer(...)) as $page) {
            foreach ($page->payments as $payment) {
                yield $payment;
            }
        }
    }

    /**
     * Captures an AUTHORIZED payment once: all of it, or a part; the rest is released. Another call for the same amount
     * returns the same.
     * @param int|string|Omitted $amount In reais without interest, as {@see Amount::of()} accepts them; default: the
     *   whole payment. Null is a TypeError.
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     * @throws MerchantError with code 90632 if it is not AUTHORIZED, 90633 if another capture or a cancellation came
     *   first, 90634 if the amount is too high, 90635 if its acquirer refuses
     */
    public function capturePayment(
        string $code,
        int|string|Omitted $amount = Omitted::Argument,
        ?string $idempotencyKey = null,
    ): Capture {
        Connection::requireText('code', $code);
        $body = $amount instanceof Omitted ? [] : ['amount' => Amount::of($amount)];
        $key = $this->keyOf($idempotencyKey);
        $target = '/payments/' . rawurlencode($code) . '/capture';
        return $this->connection->create($target, $body, $code, $key, Capture::read(...));
    }

    /**
     * Ends a payment that waits for its payer, at its bank first, or an AUTHORIZED one, at its acquirer; a paid one
     * stays paid. Another call returns the same.
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     * @throws MerchantError with code 90601 if it ended unpaid, 90006 if its bank has not answered, 90633 if a capture
     *   is in process, 90636 if its acquirer refuses
     */
    public function cancelPayment(string $code, ?string $idempotencyKey = null): Cancellation
    {
        Connection::requireText('code', $code);
        $key = $this->keyOf($idempotencyKey);
        $target = '/payments/' . rawurlencode($code) . '/cancellation';
        return $this->connection->create($target, [], $code, $key, Cancellation::read(...));
    }

    /**
     * Saves a card without a charge, once its acquirer has approved it; the same token gets the same answer.
     * @param SaveCard|array<string, mixed> $card
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     * @throws MerchantError with code 90606 if the store may not, 90607 after too many cards of the payer, 90608 if no
     *   acquirer can, 90609 if it gave no answer: then nothing is saved
     */
    public function saveCard(#[\SensitiveParameter] SaveCard|array $card, ?string $idempotencyKey = null): CheckedCard
    {
        $body = is_array($card) ? $card : $card->jsonSerialize();
        Arguments::requireKnown('card', SaveCard::FIELDS, $body);
        $key = $this->keyOf($idempotencyKey);
        return $this->connection->create('/saved-cards', $body, 'saved-card', $key, CheckedCard::read(...));
    }

    /** One page of a payer's saved cards, newest first. The payer is in the body: logs contain addresses. */
    public function searchSavedCards(SavedCardSearch $search): SavedCardPage
    {
        return $this->savedCardsOfPayer($search->jsonSerialize());
    }

    /**
     * All saved cards of a payer, page after page; each page is requested when needed.
     * @return \Generator<int, SavedCard>
     */
    public function allSavedCardsOfPayer(SavedCardSearch $search): \Generator
    {
        foreach (self::pagesOf($search->jsonSerialize(), $this->savedCardsOfPayer(...)) as $page) {
            foreach ($page->savedCards as $card) {
                yield $card;
            }
        }
    }

    /** @throws MerchantError with status 404 and code 90604 if there is no such card */
    public function findSavedCard(string $code): SavedCard
    {
        Connection::requireText('code', $code);
        return $this->connection->get('/saved-cards/' . rawurlencode($code), SavedCard::readOne(...), 'v2');
    }

    /**
     * Deletes a card for good, and returns it as it was.
     * @throws MerchantError with status 404 and code 90604 if there is no such card, also if an earlier attempt deleted
     *   it whose answer was lost
     */
    public function deleteSavedCard(string $code): SavedCard
    {
        Connection::requireText('code', $code);
        $target = '/saved-cards/' . rawurlencode($code) . '/deletion';
        return $this->connection->search($target, [], SavedCard::readOne(...));
    }

    /** One page of the refunds, newest first. */
    public function listRefunds(RefundQuery $query = new RefundQuery()): RefundPage
    {
        return $this->refundsOf($query->jsonSerialize());
    }

    /**
     * All refunds, page after page; each page is requested when needed.
     * @return \Generator<int, RefundSummary>
     */
    public function allRefunds(RefundQuery $query = new RefundQuery()): \Generator
    {
        foreach (self::pagesOf($query->jsonSerialize(), $this->refundsOf(...)) as $page) {
            foreach ($page->refunds as $refund) {
                yield $refund;
            }
        }
    }

    /**
     * Brand and installments of a card.
     * @param string $bin First six to twelve digits.
     */
    public function cardLookup(string $bin, int|string $amount): CardLookup
    {
        return $this->connection->get('/card?' . self::priced(['bin' => $bin], $amount), CardLookup::read(...));
    }

    /** @param string $bin First six to twelve digits. */
    public function binLookup(string $bin): Bin
    {
        Connection::requireText('bin', $bin);
        return $this->connection->get('/card/bin/' . rawurlencode($bin), Bin::read(...));
    }

    /**
     * @param string $brand Lowercase brand identifier, as the bin lookup returns it.
     * @return list<Installment>
     */
    public function installments(string $brand, int|string $amount): array
    {
        $read = static fn (Wire $wire): array => $wire->list('installments', Installment::read(...));
        return $this->connection->get('/card/installments?' . self::priced(['brand' => $brand], $amount), $read);
    }

    /** The price of the store's installments: the usual terms, and its own changes in order. */
    public function findInterest(): Interest
    {
        return $this->connection->get('/interest', Interest::readOne(...));
    }

    /**
     * Takes effect at once, or at a given time; a price already shown stays valid for an hour.
     * @param ChangeInterest|array<string, mixed> $change
     * @param ?string $idempotencyKey As for {@see createTransaction()}.
     */
    public function changeInterest(ChangeInterest|array $change, ?string $idempotencyKey = null): Interest
    {
        $body = is_array($change) ? $change : $change->jsonSerialize();
        Arguments::refuseKeyIn('change', $body);
        // With a misspelt or unset brand, the terms would apply to all brands; with such a time, at once.
        Arguments::requireKnown('change', ChangeInterest::FIELDS, $body);
        if (array_key_exists('brand', $body)) {
            Arguments::requireText("change['brand']", $body['brand']);
        }
        $key = $this->keyOf($idempotencyKey);
        return $this->connection->create('/interest/changes', $body, 'interest', $key, Interest::readOne(...));
    }

    private function keyOf(?string $idempotencyKey): string
    {
        $key = $idempotencyKey ?? $this->connection->identifier();
        Connection::requireHeaderText('idempotencyKey', $key);
        return $key;
    }

    /** The reference of a creation without one: the same key gives the same reference. */
    private static function referenceOfKey(string $idempotencyKey): string
    {
        return substr(hash('sha256', $idempotencyKey), 0, 32);
    }

    /** @param array<string, mixed> $body */
    private static function referenceIn(string $name, #[\SensitiveParameter] array $body, string $idempotencyKey): string
    {
        if (!array_key_exists('reference', $body)) {
            return self::referenceOfKey($idempotencyKey);
        }
        Arguments::requireText("{$name}['reference']", $body['reference']);
        return $body['reference'];
    }

    private function pageOf(SearchQuery $query, ?int $page): SearchPage
    {
        $filters = ['page' => $page] + $query->jsonSerialize();
        return $this->connection->get('/transactions?' . Query::text($filters), SearchPage::read(...));
    }

    /** @param array<string, mixed> $filters */
    private function linksOf(array $filters): PaymentLinkPage
    {
        return $this->connection->get(Query::target('/payment-links', $filters), PaymentLinkPage::read(...));
    }

    /** @param array<string, mixed> $filters */
    private function paymentsOf(array $filters): PaymentPage
    {
        return $this->connection->get(Query::target('/payments', $filters), PaymentPage::read(...), 'v2');
    }

    /** @param array<string, mixed> $filters */
    private function paymentsOfPayer(array $filters): PaymentPage
    {
        return $this->connection->search('/payments/searches', Query::withTextsOfDates($filters), PaymentPage::read(...));
    }

    /** @param array<string, mixed> $filters */
    private function savedCardsOfPayer(array $filters): SavedCardPage
    {
        return $this->connection->search('/saved-cards/searches', $filters, SavedCardPage::read(...));
    }

    /** @param array<string, mixed> $filters */
    private function refundsOf(array $filters): RefundPage
    {
        return $this->connection->get(Query::target('/refunds', $filters), RefundPage::read(...), 'v2');
    }

    /**
     * An empty page may lead on: the end is a cursor that is null.
     * @template Page of EventPage|PaymentPage|RefundPage|SavedCardPage
     * @param array<string, mixed> $filters
     * @param callable(array<string, mixed>): Page $read
     * @return \Generator<int, Page>
     */
    private static function pagesOf(array $filters, callable $read): \Generator
    {
        do {
            $page = $read($filters);
            yield $page;
            $filters['cursor'] = $page->nextCursor;
        } while ($page->nextCursor !== null);
    }

    /** @param array<string, string> $of */
    private static function priced(array $of, int|string $amount): string
    {
        return Query::text($of + ['country' => 'BR', 'amount' => (string) Amount::of($amount), 'currency' => 'BRL']);
    }
}
