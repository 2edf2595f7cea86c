"""What can go wrong, one class a failure, each with the sentence that the user reads.

A sentence says what is wrong and what to do next. The English one stands in the class; the other
languages are data (``text/*/errors.json``, by class name). Import the classes from here; they are
defined in `base`, `usage` (how the program was called), `records` (the record), `service` (the
watched folder and the page) and `photos`.

The classes::

    BrikksError
      WrongUse
        PartsMissing
          WebPartsMissing
          HttpsPartsMissing
          PlotPartsMissing
          ClusterPartsMissing
        RecordFailure
          RecordNotWritable
          RecordDiskFull
          NotARecord
          RecordTooNew
          RecordBusy
          RecordDamaged
          RecordMissing
          BackupMissing
          ResultMissing
          GameMissing
          BoardWithoutPhoto
          BoardOfSeveralPhotos
          TableMissing
          SeatMissing
          SheetsInOtherGame
          NothingSaid
          NothingToUndo
          ChangeNotUndoable
          QuestionGone
          AnswerNotOffered
          AnswerWithoutKey
          PhotoNotHere
          NothingKept
          ResultNotKept
        NameTwice
        NameTooLong
        FolderMissing
        FolderGone
        AnotherWatcher
        NotifierMissing
        AddressNotFree
        ServerBusy
        UploadNotStored
        KeyRefused
        OtherSite
        HostUnknown
        PageMissing
        FieldUnclear
        PageFailed
        PhotoMissing
        CommandUnknown
        OptionUnknown
        ValueMissing
        ArgumentMissing
        WordsLeftOver
        PhotoNotPermitted
        PhotoIsNoFile
        SourceUnknown
        FolderWithoutPictures
        UnknownValue
        SheetsOfDifferentGames
        OtherGameAtTable
        TurnsNotJudged
        TurnsNotAdvised
        RollMissing
        RulesForbid
        GameImpossible
        SettingUnknown
          GameWithoutSettings
        SheetsNotOneGame
        SamePhotoTwice
        PhotoGivenTwice
        TooFewToFollow
        PhotoFollowedTwice
        PhotosOutOfOrder
        PlayersUnclear
        PlayerTwice
        AnswerNamesNoSheet
        SettingsUnclear
        PhotosNotOneTurn
        RollUnknown
        AnswerUnclear
        AnswerOffSheet
        AnswersNeedOnePhoto
        AnswersNeedOneSheet
        OutputNotWritable
        OutputExists
        OutputFormatUnknown
        OutputNeedsFolder
        OutputIsInput
        SchedulerUnreachable
        SchedulerGone
        WorkersUnfit
        PhotoNotOnWorkers
        StoreUnreadable
        LayoutUnknown
        SheetOfOtherGame
        PiecesNotLearnt
        DefinitionMissing
        DefinitionDamaged
        DefinitionVersion
        SheetNameUnfit
        SheetNameTaken
        SheetIsPackaged
      PhotoUnreadable
        PhotoEmpty
        PhotoTruncated
        PhotoDamaged
        NotAnImage
        FileTooLarge
        TooManyPixels
        TooManyScans
        NoSheetFound
        SheetCutOff
        NoBoardFound
        NoPiecesFound
        BoardCutOff
        BoardIsAnother
        BoardOfOtherGame
        BoardAtTable
        BoardNotEmpty
        BoardNotSetUp
        SheetBackShown
        SheetTooBlurred
        SheetTooSmall
        PhotoMirrored
        OneOfPhotosUnreadable
        PhotoOfAnother
        PhotoOfAnotherState
        BlankIsMarked
        BlankOfOtherGame
        BonusesNotFound
        GridNotFound
        ReaderStopped
        OrderUnknown
        PhotoEndsReaders
        ReadingTooSlow
        ReadingFailed
        UploadWithoutPhoto
        UploadBroken
        UploadTooSlow
      CameraDateAhead
      WorkersAwaited
"""

from brikks_vision.errors.base import *
from brikks_vision.errors.photos import *
from brikks_vision.errors.records import *
from brikks_vision.errors.service import *
from brikks_vision.errors.usage import *
